//! Requests with valid defaults, so that a test states only what matters to it.

mod commit;
mod job;
mod ledger;
mod schedule;

pub use commit::{CommitBuilder, Held, commit};
pub use job::{JobBuilder, job};
pub use ledger::{call, hold, key, settled, stage};
pub use schedule::{cron, every, schedule, tenant};
