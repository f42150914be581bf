use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::task::JoinSet;

use super::{WAIT_TIMEOUT, bulkhead, settle};
use crate::{Bulkhead, InvalidLimits, Limits, Refused};

#[test]
fn limits_outside_their_ranges_are_refused() {
    assert_eq!(Limits::try_new(0, 64, WAIT_TIMEOUT), Err(InvalidLimits::Capacity));
    assert_eq!(Limits::try_new(65_536, 64, WAIT_TIMEOUT), Err(InvalidLimits::Capacity));
    assert_eq!(Limits::try_new(1, 64, Duration::ZERO), Err(InvalidLimits::WaitTimeout));
    assert_eq!(Limits::try_new(1, 64, Duration::from_secs(3_601)), Err(InvalidLimits::WaitTimeout));
    assert_eq!(Limits::try_new(1, 64, WAIT_TIMEOUT), Ok(Limits::default()));
}

#[tokio::test]
async fn a_dropped_permit_gives_its_place_back() {
    let bulkhead = bulkhead(2);
    let first = bulkhead.acquire().await.unwrap();
    let second = bulkhead.try_acquire().unwrap();
    assert_eq!(bulkhead.available(), 0);
    assert!(bulkhead.try_acquire().is_none());

    drop(first);
    assert_eq!(bulkhead.available(), 1);
    drop(second);
    assert_eq!(bulkhead.available(), 2);
}

#[tokio::test(start_paused = true)]
async fn waiters_are_let_in_in_the_order_in_which_they_came() {
    let bulkhead = bulkhead(1);
    let held = bulkhead.acquire().await.unwrap();
    let order = Arc::new(Mutex::new(Vec::new()));
    let mut waiters = JoinSet::new();
    for number in 0..64 {
        let (bulkhead, order) = (bulkhead.clone(), Arc::clone(&order));
        waiters.spawn(async move {
            let permit = bulkhead.acquire().await.unwrap();
            order.lock().unwrap().push(number);
            tokio::task::yield_now().await;
            drop(permit);
        });
        settle().await;
    }

    drop(held);
    waiters.join_all().await;

    assert_eq!(*order.lock().unwrap(), (0..64).collect::<Vec<_>>());
}

#[tokio::test(start_paused = true)]
async fn the_sixty_fifth_waiter_is_refused() {
    let bulkhead = Bulkhead::new(Limits::default());
    let held = bulkhead.acquire().await.unwrap();
    let mut waiters = JoinSet::new();
    for _ in 0..64 {
        let bulkhead = bulkhead.clone();
        waiters.spawn(async move { bulkhead.acquire().await.map(drop) });
    }
    settle().await;

    assert_eq!(bulkhead.acquire().await.unwrap_err(), Refused::Full);

    drop(held);
    assert!(waiters.join_all().await.iter().all(Result::is_ok));
    assert_eq!(bulkhead.available(), 1);
}

#[tokio::test]
async fn with_no_waiters_allowed_a_full_bulkhead_refuses_at_once() {
    let bulkhead = Bulkhead::new(Limits::try_new(1, 0, WAIT_TIMEOUT).unwrap());
    let _held = bulkhead.acquire().await.unwrap();

    assert_eq!(bulkhead.acquire().await.unwrap_err(), Refused::Full);
}

#[tokio::test(start_paused = true)]
async fn a_waiter_is_refused_after_the_wait_timeout_and_leaves_the_line() {
    let bulkhead = Bulkhead::new(Limits::try_new(1, 1, WAIT_TIMEOUT).unwrap());
    let held = bulkhead.acquire().await.unwrap();
    let started = tokio::time::Instant::now();

    assert_eq!(bulkhead.acquire().await.unwrap_err(), Refused::TimedOut);

    assert_eq!(started.elapsed().as_secs(), WAIT_TIMEOUT.as_secs());
    drop(held);
    assert_eq!(bulkhead.available(), 1);
    assert!(bulkhead.acquire().await.is_ok());
}

#[tokio::test(start_paused = true)]
async fn a_cancelled_head_waiter_passes_its_turn_on() {
    let bulkhead = bulkhead(1);
    let held = bulkhead.acquire().await.unwrap();
    let mut waiters = JoinSet::new();
    let head = {
        let bulkhead = bulkhead.clone();
        waiters.spawn(async move { bulkhead.acquire().await.map(drop) })
    };
    settle().await;
    let next = bulkhead.clone();
    waiters.spawn(async move { next.acquire().await.map(drop) });
    settle().await;

    // The place is the head's as of now, but the head does not run before it is cancelled.
    drop(held);
    head.abort();

    assert!(waiters.join_next().await.unwrap().unwrap_err().is_cancelled());
    assert_eq!(waiters.join_next().await.unwrap().unwrap(), Ok(()));
    assert_eq!(bulkhead.available(), 1);
}

#[tokio::test(start_paused = true)]
async fn trying_never_passes_a_waiter() {
    let bulkhead = bulkhead(1);
    let held = bulkhead.acquire().await.unwrap();
    let mut waiters = JoinSet::new();
    let waiting = bulkhead.clone();
    waiters.spawn(async move { waiting.acquire().await.map(drop) });
    settle().await;

    drop(held);

    assert!(bulkhead.try_acquire().is_none());
    assert_eq!(bulkhead.available(), 0);
    assert_eq!(waiters.join_all().await, [Ok(())]);
    assert!(bulkhead.try_acquire().is_some());
}

#[tokio::test]
async fn a_panicking_root_gives_its_place_back() {
    let bulkhead = bulkhead(1);
    let permit = bulkhead.acquire().await.unwrap();
    let mut roots = JoinSet::<()>::new();
    roots.spawn(async move {
        let _permit = permit;
        panic!("the root fails");
    });

    assert!(roots.join_next().await.unwrap().unwrap_err().is_panic());

    assert_eq!(bulkhead.available(), 1);
    bulkhead.drained().await;
}
