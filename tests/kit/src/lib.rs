//! The test kit: clocks, factories, the model store, the fault store, the conformance suite and the
//! model check. For tests only.
//!
//! A store joins the suite with a [`Harness`] and one line:
//!
//! ```ignore
//! koinon_kit::conformance!(crate::harness());
//! koinon_kit::model_check!(crate::harness(), koinon_kit::Locking::Rows);
//! ```

#![expect(
    clippy::expect_used,
    clippy::missing_panics_doc,
    clippy::panic,
    clippy::unwrap_used,
    reason = "what goes wrong in a test must end it"
)]

mod case;
mod check;
mod clock;
#[doc(hidden)]
pub mod conformance;
mod factory;
mod fault;
mod harness;
mod model;
mod model_check;
mod provider;

pub use case::{Case, LEASE, Snapshot};
pub use check::check_job;
pub use clock::{ManualClock, PausedClock};
pub use factory::{
    CommitBuilder, Held, JobBuilder, call, commit, cron, every, hold, job, key, schedule, settled,
    stage, tenant,
};
pub use fault::{Fault, FaultStore, LosingReplies, Repeating, Verb};
pub use harness::{Harness, Stores};
pub use model::{ModelHarness, ModelStore};
pub use model_check::{Locking, model_check, model_check_together};
pub use provider::{FakeProvider, Received, answered, in_doubt, refused, unsent, unusable};
