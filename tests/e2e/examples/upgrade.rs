//! An upgrade with two versions running: workers of an older version, `koinon migrate` of this one under them,
//! and then one worker of this version after another in their place. It takes some minutes, and some more when
//! the older version is built for the first time, below `target/upgrade`.
//!
//! ```sh
//! cargo run --package koinon-e2e --example upgrade                    # on SQLite
//! cargo run --package koinon-e2e --example upgrade -- postgres
//! cargo run --package koinon-e2e --example upgrade -- --from COMMIT   # another older version
//! ```
//!
//! The last line is one JSON object. Exit codes: 0 when every promise held, 1 when one did not, 2 when there
//! was no run.

use std::io::Write as _;
use std::panic::AssertUnwindSafe;
use std::process::ExitCode;

use clap::Parser;
use futures::FutureExt as _;
use koinon_e2e::{Plan, Programs, Store, upgrade};
use serde_json::json;
use xtask::versions::{Current, Older};

/// An upgrade under load, from an older version of this repository to this one
#[derive(Debug, Parser)]
struct Args {
    /// What keeps the jobs
    #[arg(value_enum, default_value = "sqlite")]
    store: Store,
    /// The older version; the newest commit with an older schema unless it is given
    #[arg(long, value_name = "COMMIT")]
    from: Option<String>,
}

#[tokio::main]
async fn main() -> ExitCode {
    let args = Args::parse();
    let built = Older::build(args.from.as_deref()).and_then(|older| Ok((older, Current::build()?)));
    let (older, current) = match built {
        Ok(built) => built,
        Err(error) => {
            // Nothing is left to be done when standard error is closed as well.
            writeln!(std::io::stderr(), "error: {error:#}").ok();
            return ExitCode::from(2);
        }
    };
    let Current { worker: newer, koinon } = current;
    let programs = Programs { older: older.worker, newer, koinon };
    // What does not hold is told by the panic.
    let seen = AssertUnwindSafe(upgrade(&programs, Plan::full(args.store))).catch_unwind().await;
    let Ok(seen) = seen else { return ExitCode::FAILURE };
    let line = json!({"from": older.commit, "held": true, "seen": seen});
    writeln!(std::io::stdout(), "{line}").ok();
    ExitCode::SUCCESS
}
