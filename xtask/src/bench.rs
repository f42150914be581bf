//! What every benchmark has in common: its rows, their floors, and how they are told.

pub mod dataset;
pub mod floors;
mod median;
mod row;

pub use median::{Median, median_of_three};
pub use row::{Row, write_json, write_table};
