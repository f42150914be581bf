//! How long a write waits for other processes.

use std::time::Duration;

use backon::{BackoffBuilder as _, ExponentialBackoff, ExponentialBuilder};

use crate::error::Failure;

const SHORTEST: Duration = Duration::from_millis(1);
const LONGEST: Duration = Duration::from_millis(20);

/// Tries again, with growing waits and jitter, while the file is busy.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Patience {
    busy_for: Duration,
}

impl Patience {
    /// Waits for `busy_for` altogether.
    pub(crate) const fn new(busy_for: Duration) -> Self {
        Self { busy_for }
    }

    /// The waits between the tries of one write.
    pub(crate) fn waits(self) -> ExponentialBackoff {
        ExponentialBuilder::default()
            .with_min_delay(SHORTEST)
            .with_max_delay(LONGEST)
            .with_jitter()
            .without_max_times()
            .with_total_delay(Some(self.busy_for))
            .build()
    }

    /// Waits before the next try.
    ///
    /// # Errors
    ///
    /// The failure itself, if it is not that the file is busy, or was busy for too long.
    pub(crate) fn wait(waits: &mut ExponentialBackoff, failure: Failure) -> Result<(), Failure> {
        match waits.next() {
            Some(wait) if failure.is_busy() => {
                std::thread::sleep(wait);
                Ok(())
            }
            Some(_) | None => Err(failure),
        }
    }
}
