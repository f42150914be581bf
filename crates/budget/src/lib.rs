//! Money, limits, price profiles and the arithmetic of holds. Pure.

mod amounts;
mod balance;
mod built_in;
mod limits;
mod money;
mod price;
mod profile;
mod usage;

pub use amounts::{Amounts, Axis};
pub use balance::{Balance, Exceeded, Mark};
pub use built_in::built_in;
pub use limits::Limits;
pub use money::{InvalidMoney, NanoUsd};
pub use price::Price;
pub use profile::{InvalidProfile, Profile, ProfileId, Profiles};
pub use usage::Usage;
