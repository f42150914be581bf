//! The stage runner and the worker loop.
//!
//! The path of a job: peek → permit → claim → load → authority → stages, each through the paid door
//! where it spends → settle → report. This crate knows neither SQL nor HTTP.

pub mod child;
mod committer;
mod context;
mod door;
mod error;
mod held;
mod retention;
mod run;
mod services;
mod stage;
mod stored;
mod worker;
mod workload;

pub use context::{JobContext, Tally};
pub use door::{Answer, Rejected};
pub use error::{Failure, Halt, JobError};
pub use koinon_store::Artifact;
pub use retention::{Sweep, SweepError, Swept};
pub use services::{Beside, Config, OnInDoubt, Services};
pub use stage::{Item, OnChanged, Stage, StageScope};
pub use worker::{Drained, Driven, Lane, Process, Trouble, Until, Worker};
pub use workload::{Workload, Workloads};
