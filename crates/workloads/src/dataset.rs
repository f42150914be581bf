//! The `dataset` workload: real documents become a checked, traceable dataset.
//!
//! Every stage is a plain function over plain data, in the order of the modules below; nothing
//! in them knows a runner, a store, a provider, a clock or randomness. The same inputs and
//! settings give the same bytes.

pub mod settings;

pub mod charset;
pub mod span;
pub mod text;
pub mod warning;

pub mod sources;

pub mod intake;

pub mod document;

pub mod parse;

pub mod chunk;

pub mod plan;

pub mod prompts;

pub mod answer;

pub mod quarantine;
pub mod row;

pub mod validate;

pub mod quality;

pub mod dedup;

pub mod version;

pub mod export;

mod input;
mod job;
mod prepare;

pub use input::Input;
pub use job::{Dataset, Summary};
pub use prepare::{Order, PrepareError, Prepared, prepare};

#[cfg(test)]
mod tests;

/// Said in every dataset version: raised when the same inputs would give other files.
pub const PIPELINE_VERSION: &str = "1";
