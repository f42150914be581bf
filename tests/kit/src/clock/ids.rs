//! Ids of version 7 from a counter, so that a run can be repeated.

use std::sync::atomic::{AtomicU64, Ordering};

use koinon_domain::Timestamp;
use uuid::{Builder, Uuid};

#[derive(Debug, Default)]
pub(super) struct Ids(AtomicU64);

impl Ids {
    /// The next id: the milliseconds of `now`, then the count, so that later ones sort after earlier.
    pub(super) fn next(&self, now: Timestamp) -> Uuid {
        let count = self.0.fetch_add(1, Ordering::SeqCst) + 1;
        let millis = u64::try_from(now.as_micros() / 1_000).unwrap_or_default();
        let mut rest = [0; 10];
        rest[2..].copy_from_slice(&count.to_be_bytes());
        Builder::from_unix_timestamp_millis(millis, &rest).into_uuid()
    }
}
