use tokio::task::JoinSet;

use super::{bulkhead, settle};
use crate::Refused;

#[tokio::test]
async fn a_nested_call_runs_on_its_roots_permit_at_capacity_one() {
    let bulkhead = bulkhead(1);
    let permit = bulkhead.acquire().await.unwrap();
    let root = permit.root();

    let nested = root.reuse().unwrap();
    let deeper = root.clone().reuse().unwrap();

    assert_eq!(bulkhead.available(), 0);
    drop((nested, deeper));
    assert_eq!(bulkhead.available(), 0);
    drop(permit);
    assert_eq!(bulkhead.available(), 1);
}

#[tokio::test]
async fn a_detached_task_cannot_reuse_a_root_that_has_ended() {
    let bulkhead = bulkhead(1);
    let root = bulkhead.acquire().await.unwrap().root();
    let next = bulkhead.acquire().await.unwrap();

    assert_eq!(root.reuse().unwrap_err(), Refused::RootEnded);
    assert!(next.root().reuse().is_ok());
}

#[tokio::test]
async fn a_nested_call_that_outlives_its_root_keeps_no_permit_and_learns_the_end() {
    let bulkhead = bulkhead(1);
    let permit = bulkhead.acquire().await.unwrap();
    let nested = permit.root().reuse().unwrap();
    let mut detached = JoinSet::new();
    detached.spawn(async move { nested.root_ended().await });
    settle().await;
    assert!(detached.try_join_next().is_none());

    drop(permit);

    assert_eq!(bulkhead.available(), 1);
    bulkhead.drained().await;
    detached.join_all().await;
}
