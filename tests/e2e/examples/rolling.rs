//! The rolling restart at its full size: four workers, 200 jobs of 1 to 20 s, a drain of 5 s, and a provider
//! that takes up to 3 s. It takes some minutes.
//!
//! ```sh
//! cargo run --package koinon-e2e --example rolling              # on SQLite
//! cargo run --package koinon-e2e --example rolling -- postgres
//! ```

#![expect(clippy::print_stdout, clippy::unwrap_used, reason = "it is read by whoever starts it")]

use koinon_e2e::{Plan, Store, roll};
use xtask::versions::Current;

#[tokio::main]
async fn main() {
    let is_postgres = std::env::args().any(|word| word == "postgres");
    let plan = Plan::full(if is_postgres { Store::Postgres } else { Store::Sqlite });
    let Current { worker, koinon: _ } = Current::build().unwrap();
    println!("{}", roll(&worker, plan).await);
}
