//! Waiters that give up, at whatever moment, take no place with them.

use std::pin::pin;
use std::task::Poll;

use koinon_races::time::{clear_triggers, trigger_timeouts};
use koinon_races::{Bulkhead, Permit};
use shuttle::future::{spawn, yield_now};

use crate::{Running, bulkhead, in_many_orders, once};

/// Waits for a permit, and drops the waiting future after some turns of the scheduler.
async fn within(turns: usize, bulkhead: &Bulkhead) -> Option<Permit> {
    let mut waiting = pin!(bulkhead.acquire());
    for _ in 0..turns {
        if let Poll::Ready(permit) = once(waiting.as_mut()).await {
            return permit.ok();
        }
        yield_now().await;
    }
    None
}

#[test]
fn no_permit_is_lost_when_a_waiting_future_is_dropped() {
    in_many_orders(|| async {
        let (bulkhead, running) = (bulkhead(), Running::default());
        let tasks = [usize::MAX, 1, usize::MAX, 3].map(|patience| {
            let (bulkhead, running) = (bulkhead.clone(), running.clone());
            spawn(async move {
                let permit = match patience {
                    usize::MAX => bulkhead.acquire().await.ok(),
                    turns => within(turns, &bulkhead).await,
                };
                if let Some(permit) = permit {
                    running.root(permit).await;
                }
            })
        });
        for task in tasks {
            task.await.unwrap();
        }
        assert_eq!((bulkhead.available(), bulkhead.waiting()), (1, 0));
        bulkhead.drained().await;
    });
}

#[test]
fn no_permit_is_lost_when_the_wait_times_out() {
    in_many_orders(|| async {
        clear_triggers();
        let (bulkhead, running) = (bulkhead(), Running::default());
        let tasks = [(); 3].map(|()| {
            let (bulkhead, running) = (bulkhead.clone(), running.clone());
            spawn(async move {
                if let Ok(permit) = bulkhead.acquire().await {
                    running.root(permit).await;
                }
            })
        });
        yield_now().await;
        trigger_timeouts(|_| true);
        for task in tasks {
            task.await.unwrap();
        }
        assert_eq!((bulkhead.available(), bulkhead.waiting()), (1, 0));
        bulkhead.drained().await;
    });
}
