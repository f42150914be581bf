//! The rolling restart at its full size: four workers, 200 jobs of 1 to 20 s, a drain of 5 s, and a provider
//! that takes up to 3 s. It takes some minutes.
//!
//! ```sh
//! cargo build --package koinon-e2e --bin kit-worker
//! cargo run --package koinon-e2e --example rolling              # on SQLite
//! cargo run --package koinon-e2e --example rolling -- postgres
//! ```

#![expect(clippy::print_stdout, reason = "it is read by whoever starts it")]

use std::path::Path;
use std::time::Duration;

use koinon_e2e::{Plan, Store, roll};

#[tokio::main]
async fn main() {
    let is_postgres = std::env::args().any(|word| word == "postgres");
    let plan = Plan {
        store: if is_postgres { Store::Postgres } else { Store::Sqlite },
        workers: 4,
        capacity: 8,
        jobs: 200,
        steps: 40,
        delay: Duration::from_secs(3),
        drain_for: "5s",
        pause: Duration::from_secs(3),
    };
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/debug/kit-worker");
    println!("{}", roll(&program, &plan).await);
}
