//! What a failure means for a job: failure classes, verdicts and backoff. Pure.

mod class;

pub use class::Class;
