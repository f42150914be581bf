//! Stores that fail on demand, and callers that ask again.

mod losing;
mod plan;
mod repeating;
mod store;

pub use losing::LosingReplies;
pub use plan::{Fault, Verb};
pub use repeating::Repeating;
pub use store::FaultStore;
pub(crate) use store::is_planned;
