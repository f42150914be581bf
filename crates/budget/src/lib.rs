//! Money, limits, price profiles and the arithmetic of holds. Pure.

mod usage;

pub use usage::Usage;
