//! The bulkhead of `koinon-admission`, from the same sources, on `shuttle` in place of tokio: a scheduler chooses
//! which task takes each step, tries many orders, and prints a failing one so that it can be repeated.

// The sources say `tokio::sync` and find what is here.
extern crate self as tokio;

#[path = "../../../crates/admission/src/bulkhead.rs"]
mod bulkhead;
#[path = "../../../crates/admission/src/limits.rs"]
mod limits;
#[path = "../../../crates/admission/src/permit.rs"]
mod permit;
#[path = "../../../crates/admission/src/refused.rs"]
mod refused;
#[path = "../../../crates/admission/src/root.rs"]
mod root;
pub mod sync;

pub use bulkhead::Bulkhead;
pub use limits::{InvalidLimits, Limits};
pub use permit::Permit;
pub use refused::Refused;
pub use root::{Nested, Root};
/// For the unit tests of the sources, which are looked at, but run in their own crate.
#[cfg(test)]
pub use shuttle_tokio::test;
/// Time stands still here: a wait for a place times out when a test says so.
pub use shuttle_tokio::time;
