//! The built program, as whoever runs a service meets it.

#![expect(clippy::unwrap_used, reason = "what goes wrong in a test must end it")]

mod place;

mod listener;
mod refusals;
mod stop;
