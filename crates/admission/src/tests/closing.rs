use tokio::task::JoinSet;

use super::{bulkhead, settle};
use crate::Refused;

#[tokio::test(start_paused = true)]
async fn closing_refuses_waiters_and_new_roots_while_active_work_drains() {
    let bulkhead = bulkhead(1);
    let held = bulkhead.acquire().await.unwrap();
    let mut waiters = JoinSet::new();
    for _ in 0..3 {
        let bulkhead = bulkhead.clone();
        waiters.spawn(async move { bulkhead.acquire().await.map(drop) });
    }
    settle().await;

    bulkhead.close();

    assert_eq!(waiters.join_all().await, [Err(Refused::Closed); 3]);
    assert_eq!(bulkhead.acquire().await.unwrap_err(), Refused::Closed);
    assert!(bulkhead.try_acquire().is_none());
    assert!(held.root().reuse().is_ok());

    let mut draining = JoinSet::new();
    let drained = bulkhead.clone();
    draining.spawn(async move { drained.drained().await });
    settle().await;
    assert!(draining.try_join_next().is_none());

    drop(held);
    draining.join_all().await;
    assert_eq!(bulkhead.available(), 1);
    assert_eq!(bulkhead.acquire().await.unwrap_err(), Refused::Closed);
}

#[tokio::test(start_paused = true)]
async fn a_place_that_was_promised_before_the_close_comes_back() {
    let bulkhead = bulkhead(1);
    let held = bulkhead.acquire().await.unwrap();
    let mut waiters = JoinSet::new();
    let waiting = bulkhead.clone();
    waiters.spawn(async move { waiting.acquire().await.map(drop) });
    settle().await;

    drop(held);
    bulkhead.close();

    assert_eq!(waiters.join_all().await, [Err(Refused::Closed)]);
    bulkhead.drained().await;
    assert_eq!(bulkhead.available(), 1);
}

#[tokio::test]
async fn an_idle_bulkhead_is_drained_and_closes_twice() {
    let bulkhead = bulkhead(2);
    bulkhead.drained().await;
    bulkhead.close();
    bulkhead.close();
    bulkhead.drained().await;
    assert_eq!(bulkhead.available(), 2);
}
