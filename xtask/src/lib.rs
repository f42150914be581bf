//! The tasks of this repository: what a desk and the continuous integration both run.
//!
//! The house rules (`tidy`, `arrows`) are functions from the files of a tree to a list of
//! problems, so that the tests can hand them a planted tree. The other verbs run cargo.

mod arrows;
pub mod bench;
mod built;
mod chaos;
mod ci;
mod cli;
mod install_scaler;
mod koinon;
mod manifest;
mod migrate;
mod problem;
mod process;
mod schema;
mod sequence;
mod source;
mod sql;
mod test;
mod tidy;
mod tools;
mod tree;
pub mod versions;
mod workspace;

pub use cli::Cli;
