//! The worker as a program: what it refuses, how it starts, and how it ends.
//!
//! A program with workloads of its own has nothing but this in its `main`:
//!
//! ```no_run
//! use koinon::prelude::*;
//! # struct Greet;
//! # #[async_trait]
//! # impl Workload for Greet {
//! #     const KIND: &'static str = "greet";
//! #     const STAGES: &'static [&'static str] = &[];
//! #     type Input = String;
//! #     type Output = String;
//! #     async fn run(&self, _: &JobContext, name: String) -> Result<String, JobError> {
//! #         Ok(name)
//! #     }
//! # }
//!
//! fn main() -> std::process::ExitCode {
//!     koinon_worker::run(|builder| builder.workload(Greet))
//! }
//! ```

mod args;
mod listener;
mod logging;
mod program;
mod refusal;
mod signals;
mod systemd;

pub use program::{Ended, Moment, run, work};
