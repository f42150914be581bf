//! What a failure means for a job: failure classes, verdicts and backoff. Pure.

mod backoff;
mod class;
mod verdict;

pub use backoff::{Backoff, Jitter};
pub use class::Class;
pub use verdict::Verdict;
