//! Nested calls live on the place of their root, and end with it.

use koinon_races::Refused;
use shuttle::future::{spawn, yield_now};

use crate::{bulkhead, in_many_orders};

#[test]
fn a_nested_call_and_the_next_root_are_never_both_let_in_by_one_place() {
    in_many_orders(|| async {
        let bulkhead = bulkhead();
        let permit = bulkhead.acquire().await.unwrap();
        let root = permit.root();
        let next = spawn({
            let bulkhead = bulkhead.clone();
            async move {
                let _permit = bulkhead.acquire().await.unwrap();
                assert_eq!(root.reuse().unwrap_err(), Refused::RootEnded);
            }
        });
        yield_now().await;
        drop(permit);
        next.await.unwrap();
        assert_eq!(bulkhead.available(), 1);
    });
}

#[test]
fn a_nested_call_that_was_detached_learns_that_its_root_has_ended() {
    in_many_orders(|| async {
        let bulkhead = bulkhead();
        let permit = bulkhead.acquire().await.unwrap();
        let nested = permit.root().reuse().unwrap();
        let detached = spawn(async move { nested.root_ended().await });
        yield_now().await;
        drop(permit);
        detached.await.unwrap();
    });
}
