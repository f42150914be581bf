//! A durable job engine for long, expensive model-driven work, to be embedded.
//!
//! A killed worker never loses a job, a finished stage is never run again for the same input, a
//! provider call whose answer was stored is never paid for again, and a job stops before its budget is
//! exceeded.
//!
//! ```
//! use koinon::prelude::*;
//!
//! struct Greet;
//!
//! #[async_trait]
//! impl Workload for Greet {
//!     const KIND: &'static str = "greet";
//!     const STAGES: &'static [&'static str] = &["greet"];
//!     type Input = String;
//!     type Output = String;
//!
//!     async fn run(&self, job: &JobContext, name: String) -> Result<String, JobError> {
//!         // Runs once for each name, however often the job is interrupted.
//!         job.stage("greet").once(&name, |_stage| async { Ok(format!("Hello, {name}!")) }).await
//!     }
//! }
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = tempfile::tempdir()?;
//! let mut settings = Settings::default();
//! # settings.database.url = format!("sqlite://{}/koinon.db", folder.path().display());
//! # settings.artifacts.url = format!("file://{}/artifacts", folder.path().display());
//! let koinon = Koinon::builder(settings).workload(Greet).open().await?;
//!
//! // Submits the job, or finds it by its key, and drives it to its end. Others only `submit`, and
//! // leave the rest to a `worker`.
//! let status = koinon.run(Submit::of::<Greet>("the world", &"world")?).await?;
//! assert_eq!(status.run.state, State::Succeeded);
//! koinon.close().await;
//! # Ok(())
//! # }
//! ```
//!
//! With the feature `workloads`, the built-in workloads are in `koinon::workloads`.

mod backlog;
mod builder;
mod database;
mod elsewhere;
mod error;
mod explain;
mod identity;
mod koinon;
mod parts;
mod providers;
mod queues;
mod retention;
mod role;
mod run;
mod schedules;
mod submit;
mod told;
mod workers;

pub mod prelude;
pub mod settings;

pub use backlog::{Availability, BacklogSnapshot, DatasourceBacklog, QueueDemand, WorkerBacklog};
pub use builder::Builder;
pub use error::Error;
pub use explain::{Explanation, Gate};
pub use identity::{Sources, identity};
pub use koinon::Koinon;
pub use queues::{Datasource, Queue};
pub use role::Role;
pub use schedules::{AddSchedule, Kinds};
pub use settings::Settings;
pub use submit::Submit;
pub use told::told;
pub use workers::{Standing, Workers};

pub use koinon_admission as admission;
pub use koinon_artifacts as artifacts;
pub use koinon_budget as budget;
pub use koinon_domain as domain;
pub use koinon_provider as provider;
pub use koinon_retry as retry;
pub use koinon_runner as runner;
pub use koinon_schedule as schedule;
pub use koinon_store as store;
#[cfg(feature = "workloads")]
pub use koinon_workloads as workloads;
