//! The ports of the durable store, the guarded commit, and the decisions behind them.
//!
//! An adapter loads the rows that a request names, lets [`decide`] make the next ones, and saves
//! them. It decides nothing itself, so every store keeps the same promises (ADR 0005). What stands in its rows it reads
//! by [`row`] (ADR 0035).

mod checkpoint;
mod clock;
mod commit;
pub mod decide;
mod error;
mod fenced;
mod hints;
mod job;
mod job_store;
mod lease_store;
mod ledger;
mod ledger_store;
mod queue_store;
mod retention;
mod retention_store;
pub mod row;
mod run;
mod running;
mod schedule;
mod schedule_store;
mod stored;
mod worker_store;

pub use checkpoint::{Checkpoint, CheckpointKey, StoredCheckpoint};
pub use clock::{Clock, SystemClock};
pub use commit::{Commit, End, HoldEnd, HoldOutcome, NewHold, Note};
pub use error::Error;
pub use fenced::{Fenced, Refusal, Signal};
pub use hints::{Hint, HintSender, Hints};
pub use job::{Artifact, JobCursor, JobFilter, JobSpec, JobStatus, Listed, Manifest};
pub use job_store::{
    ControlAnswer, ControlRequest, Controlled, IfExists, JobStore, NewJob, Submission, Submitted,
};
pub use lease_store::{
    Beat, Claim, ClaimRequest, Claimed, HeartbeatRequest, LeaseStore, Loaded, Peek, PeekRequest,
    RecoverRequest, Recovered, Scope,
};
pub use ledger::{CallRef, Entry, EntryKind, Hold, HoldState, Priced};
pub use ledger_store::{
    CallRecord, InDoubt, LedgerStore, Outcome, ReconcileAnswer, ReconcileRequest,
};
pub use queue_store::{COUNT_MAX, QueueBacklog, QueueStore};
pub use retention::{Keep, Retention, digests_in};
pub use retention_store::{NamesAfter, NamesPage, Old, OldCursor, OldPage, Pruned, RetentionStore};
pub use run::{Lease, Run, Streaks, Warned};
pub use running::{Running, RunningLimits};
pub use schedule::{LastTick, NewSchedule, Schedule, Template};
pub use schedule_store::{Added, Fired, FiredAll, ScheduleControl, ScheduleStore};
pub use stored::{INLINE_MAX_BYTES, Stored};
pub use worker_store::{FORGOTTEN_AFTER, SeenWorker, WorkerCard, WorkerStore};
