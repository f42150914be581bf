//! Stores that fail on demand, and callers that ask again.

mod plan;
mod repeating;
mod store;

pub use plan::{Fault, Verb};
pub use repeating::Repeating;
pub use store::FaultStore;
