//! The words and rules of Koinon: ids, jobs, the state machine, events, authority.
//!
//! Nothing here knows a clock, randomness, a database or a network.

mod authority;
mod cause;
mod control;
mod digest;
mod error_code;
mod event;
mod failure;
mod id;
mod name;
mod progress;
mod state;
mod text;
mod transition;
mod unit;

pub use authority::Authority;
pub use cause::Cause;
pub use control::{Control, ControlRefusal, Controlled};
pub use digest::{Digest, Hasher, InvalidDigest};
pub use error_code::ErrorCode;
pub use event::{Event, EventName};
pub use failure::{ErrorSummary, Failed};
pub use id::{DatabaseId, HoldId, JobId, ScheduleId, WorkerId};
pub use name::{
    InvalidName, ItemKey, Kind, ProjectId, QueueName, ScheduleName, StageName, TenantId,
};
pub use progress::Progress;
pub use state::{InvalidState, State};
pub use text::clean;
pub use transition::JobStateError;
pub use unit::{Attempt, CommitNo, EventSeq, Generation, Priority, Timestamp};
