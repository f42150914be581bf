//! What holds in every order of events that the scheduler tries: no permit is lost, nobody overtakes, and no
//! wake is missed. An order in which somebody waits for ever ends as a deadlock, which fails the test.

#![expect(clippy::unwrap_used, reason = "what goes wrong in a test must end it")]

mod closing;
mod giving_up;
mod nested;
mod order;

use std::future::poll_fn;
use std::pin::Pin;
use std::task::Poll;
use std::time::Duration;

use koinon_races::{Bulkhead, Limits, Permit};
use shuttle::future::{block_on, yield_now};
use shuttle::sync::Arc;
use shuttle::sync::atomic::{AtomicUsize, Ordering};
use shuttle::{check_pct, check_random};

/// How many orders of events are tried, in each of two ways.
const ORDERS: usize = 2_000;

/// How many changes of the running task a fault may need to show.
const DEPTH: usize = 4;

/// Runs the scenario in many orders: random ones, and ones that change the running task seldom.
fn in_many_orders<S: Future<Output = ()> + 'static>(scenario: fn() -> S) {
    check_random(move || block_on(scenario()), ORDERS);
    check_pct(move || block_on(scenario()), ORDERS, DEPTH);
}

/// A bulkhead with one place.
fn bulkhead() -> Bulkhead {
    Bulkhead::new(Limits::try_new(1, 64, Duration::from_secs(30)).unwrap())
}

/// Counts who runs at this moment.
#[derive(Clone, Default)]
struct Running(Arc<AtomicUsize>);

impl Running {
    /// Runs a root that is over after one turn of the scheduler.
    async fn root(&self, permit: Permit) {
        assert_eq!(self.0.fetch_add(1, Ordering::SeqCst), 0, "there is one place");
        yield_now().await;
        self.0.fetch_sub(1, Ordering::SeqCst);
        drop(permit);
    }

    fn count(&self) -> usize {
        self.0.load(Ordering::SeqCst)
    }
}

/// Polls a future once.
async fn once<F: Future>(mut future: Pin<&mut F>) -> Poll<F::Output> {
    poll_fn(|context| Poll::Ready(future.as_mut().poll(context))).await
}
