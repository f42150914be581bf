//! The line in front of the places is first come, first served.

use shuttle::future::spawn;
use shuttle::sync::{Arc, Mutex};

use crate::{bulkhead, in_many_orders, once};

#[test]
fn nobody_overtakes_who_waits() {
    in_many_orders(|| async {
        let bulkhead = bulkhead();
        let first = bulkhead.acquire().await.unwrap();
        let served = Arc::new(Mutex::new(Vec::new()));
        let mut waiters = Vec::new();
        for number in 0..3 {
            let its = bulkhead.clone();
            let mut turn = Box::pin(async move { its.acquire().await.unwrap() });
            assert!(once(turn.as_mut()).await.is_pending(), "it stands in the line now");
            let served = Arc::clone(&served);
            waiters.push(spawn(async move {
                let permit = turn.await;
                served.lock().unwrap().push(number);
                drop(permit);
            }));
        }
        let newcomer = spawn({
            let (bulkhead, served) = (bulkhead.clone(), Arc::clone(&served));
            async move {
                let permit = bulkhead.try_acquire();
                assert!(permit.is_none() || served.lock().unwrap().len() == 3, "it overtook");
            }
        });
        drop(first);
        newcomer.await.unwrap();
        for waiter in waiters {
            waiter.await.unwrap();
        }
        assert_eq!(*served.lock().unwrap(), [0, 1, 2]);
        assert_eq!(bulkhead.available(), 1);
    });
}
