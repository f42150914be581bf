//! What every benchmark has in common: its rows, their floors, and how they are told.

pub mod dataset;
pub mod floors;
mod median;
mod per_job;
mod programs;
mod row;
pub mod suite;

pub(crate) use programs::Programs;

pub use median::{Median, median_of_three};
pub use row::{Row, write_json, write_table};
