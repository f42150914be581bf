//! The store on Postgres, held against its promises.

#![expect(clippy::unwrap_used, reason = "what goes wrong in a test must end it")]

mod conformance;
mod harness;
mod model_check;
