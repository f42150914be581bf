//! The runner under paused time, on the model store, with a provider that answers as it is told.

#![expect(clippy::panic, clippy::unwrap_used, reason = "what goes wrong in a test must end it")]

mod bench;
mod beside;
mod budget;
mod calls;
mod drain;
mod failures;
mod faults;
mod hints;
mod lanes;
mod late;
mod recovery;
mod retention;
mod signals;
mod stages;
mod starts;
mod turns;
mod versions;
