//! At which instants a schedule ticks, and which of them make a job. Pure: it knows no clock.
//!
//! A schedule ticks by a cron expression in a time zone, or at a fixed interval. What happens where a
//! zone moves its clocks is said at [`Cron`].

mod cadence;
mod cron;
mod due;
mod error;
mod every;
mod missed;

pub use cadence::Cadence;
pub use cron::Cron;
pub use due::{BATCH_MAX, Due, LATE_FOR, MISSED_MAX, due};
pub use error::Invalid;
pub use every::Every;
pub use missed::{Missed, UnknownMissed};

#[cfg(test)]
mod tests;
