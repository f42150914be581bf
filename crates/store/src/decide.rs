//! The decisions behind every write: from the locked rows and a request to the rows to be saved.
//!
//! Pure functions. A store loads the rows under its lock, reads its clock once, calls one of these,
//! and saves what it answers in the same transaction.

mod changes;
mod claim;
mod commit;
mod control;
mod end;
mod heartbeat;
mod holds;
mod recover;
mod submit;
mod tick;
mod width;

pub use changes::Changes;
pub use claim::claim;
pub use commit::{Decision, Locked, commit};
pub use control::{ControlDecision, control};
pub use heartbeat::heartbeat;
pub use holds::{ReconcileDecision, reconcile};
pub use recover::{LOSSES_WITHOUT_CHECKPOINT_MAX, due, expired, set_aside, unreadable};
pub use submit::{check, submit};
pub use tick::{Ticked, check_schedule, control_schedule, run_now, schedule, tick};
pub use width::Width;
