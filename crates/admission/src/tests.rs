use std::time::Duration;

use crate::{Bulkhead, Limits};

mod acquire;
mod closing;
mod layer;
mod nested;
mod races;

const WAIT_TIMEOUT: Duration = Duration::from_secs(30);

fn bulkhead(capacity: u32) -> Bulkhead {
    Bulkhead::new(Limits::try_new(capacity, 64, WAIT_TIMEOUT).unwrap())
}

/// Lets every task that can run do so, on a runtime of one thread.
async fn settle() {
    for _ in 0..256 {
        tokio::task::yield_now().await;
    }
}
