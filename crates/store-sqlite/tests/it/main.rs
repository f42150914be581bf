//! The store on SQLite, held against its promises.

mod clock;
mod conformance;
mod file;
mod group;
mod guards;
mod harness;
mod model_check;
mod plans;
mod sharing;
