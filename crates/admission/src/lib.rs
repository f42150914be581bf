//! The bulkhead in front of root operations: permits in FIFO order, bounded waiting, nested reuse
//! inside a live root, and shutdown.
//!
//! Everything here is memory of one process; nothing is stored, and no store is known.
//!
//! A [`Permit`] is the right to run one root operation, and its life is the root's life: dropping it
//! ends the root and gives the place to the waiter that has waited longest. Work that a root starts
//! inside itself takes the [`Root`] along and asks it by [`Root::reuse`], instead of asking the
//! bulkhead for a second permit, which at capacity 1 would wait for itself.

mod limits;

mod bulkhead;
mod permit;
mod refused;
mod root;

pub mod layer;

pub use bulkhead::Bulkhead;
pub use layer::{AdmissionLayer, AdmissionService};
pub use limits::{InvalidLimits, Limits};
pub use permit::Permit;
pub use refused::Refused;
pub use root::{Nested, Root};

#[cfg(test)]
mod tests;
