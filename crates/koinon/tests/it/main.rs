//! Engines put together as embedders do it.

#![expect(clippy::unwrap_used, reason = "the functions that tests share may fail as tests do")]

mod composition;
mod example;
mod retention;
mod workers;
mod workloads;
