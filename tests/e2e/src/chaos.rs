//! Chaos: workers that are killed, stopped and cut off at random while they work, and a checker that then
//! holds the tables and the log of the provider against what the engine promises.

mod check;
mod database;
mod deck;
mod evidence;
mod fleet;
mod folder;
mod havoc;
mod jobs;
mod plan;
mod proxy;
mod report;
mod run;
mod tables;

pub use plan::{Keep, Plan};
pub use report::{Report, Verdict};
pub use run::run;
