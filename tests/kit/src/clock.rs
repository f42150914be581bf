//! Clocks that tests set.

mod ids;
mod manual;
mod paused;

pub use manual::ManualClock;
pub use paused::PausedClock;
