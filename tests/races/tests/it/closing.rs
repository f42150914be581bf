//! A close, at whatever moment, reaches everyone, and the drain behind it ends with the last root.

use koinon_races::Refused;
use shuttle::future::{spawn, yield_now};

use crate::{Running, bulkhead, in_many_orders};

#[test]
fn a_close_wakes_everyone_who_waits_and_the_drain_misses_no_root() {
    in_many_orders(|| async {
        let (bulkhead, running) = (bulkhead(), Running::default());
        let tasks = [(); 3].map(|()| {
            let (bulkhead, running) = (bulkhead.clone(), running.clone());
            spawn(async move {
                match bulkhead.acquire().await {
                    Ok(permit) => running.root(permit).await,
                    Err(refused) => assert_eq!(refused, Refused::Closed),
                }
            })
        });
        yield_now().await;
        bulkhead.close();
        bulkhead.drained().await;
        assert_eq!(running.count(), 0, "right after the drain");
        for task in tasks {
            task.await.unwrap();
        }
        assert_eq!((running.count(), bulkhead.available(), bulkhead.waiting()), (0, 1, 0));
    });
}

#[test]
fn the_drain_ends_when_the_place_of_the_last_root_is_back() {
    in_many_orders(|| async {
        let bulkhead = bulkhead();
        let permit = bulkhead.acquire().await.unwrap();
        let root = spawn(async move { drop(permit) });
        bulkhead.close();
        bulkhead.drained().await;
        assert_eq!(bulkhead.available(), 1);
        root.await.unwrap();
    });
}
