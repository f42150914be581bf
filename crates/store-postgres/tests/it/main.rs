//! The store on Postgres, held against its promises.

#![expect(clippy::unwrap_used, reason = "what goes wrong in a test must end it")]

mod backlog;
mod bounds;
mod conformance;
mod give_back;
mod group;
mod guards;
mod harness;
mod hints;
mod memory;
mod model_check;
mod opening;
mod plans;
mod pooler;
mod retention;
mod scaler;
mod sharing;
mod silence;
