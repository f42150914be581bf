//! The program behind `cargo xtask`.

use std::io::Write as _;
use std::process::ExitCode;

use clap::Parser as _;

fn main() -> ExitCode {
    xtask::Cli::parse().run().unwrap_or_else(|error| {
        // Nothing is left to be done when standard error is closed as well.
        writeln!(std::io::stderr(), "error: {error:#}").ok();
        ExitCode::FAILURE
    })
}
