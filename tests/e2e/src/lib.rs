//! End-to-end and crash tests: real processes of the built program, a real server on the loopback
//! interface, and a checker that reads the database by itself.
//!
//! Nothing here uses a crate of the engine: what the program promises is read from its output, from
//! the server's own log and from the tables. Only the program `kit-worker`, a worker with workloads that
//! tests need, is built on the engine.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::missing_panics_doc,
    reason = "a test harness fails loudly"
)]

mod audit;
pub mod chaos;
mod clock;
mod corpus;
mod dataset;
mod kit;
mod koinon;
mod load;
mod proxy;
mod rolling;
mod seed;
mod server;
mod store;
mod upgrade;

pub use audit::{Amounts, Audit, Checkpoint, Entry, Event, Standing};
pub use corpus::{corpus, sentences};
pub use dataset::{Dataset, Row};
pub use kit::{Kit, KitWorker};
pub use koinon::{Ended, Koinon, Process};
pub use load::{Held, Load, Plan, stop};
pub use proxy::{Cut, Proxy};
pub use rolling::{Seen, roll};
pub use rustix::process::Signal;
pub use seed::Seed;
pub use server::{Asked, Logged, Outcome, Reply, Server, answer_to, first_sentence};
pub use store::{Place, Store};
pub use upgrade::{Programs, Upgraded, upgrade};
