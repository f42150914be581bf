//! The built program, as people and scripts meet it.

#![expect(clippy::panic, clippy::unwrap_used, reason = "what goes wrong in a test must end it")]

mod place;
mod server;

mod budget;
mod doctor;
mod listing;
mod postgres;
mod prices;
mod run;
mod schedule;
mod stop;
mod usage;
