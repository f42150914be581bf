//! The store on SQLite, held against its promises.

#![expect(clippy::unwrap_used, reason = "what goes wrong in a test must end it")]

mod backlog;
mod clock;
mod conformance;
mod file;
mod group;
mod guards;
mod harness;
mod model_check;
mod plans;
mod retention;
mod sharing;
