//! Logs: to standard error, from `info` on for Koinon and from `warn` on for everything else, unless
//! `KOINON_LOG` or `RUST_LOG` says otherwise.

use std::io;

use koinon::settings::{Error, log_filter};
use tracing_subscriber::EnvFilter;

const FILTER: &str = "warn,koinon=info";

/// Starts the logs of the process.
pub(crate) fn start() -> Result<(), Error> {
    let filter = log_filter(|text| EnvFilter::try_new(text).ok())?;
    let filter = filter.unwrap_or_else(|| EnvFilter::new(FILTER));
    let logs = tracing_subscriber::fmt().with_env_filter(filter).with_writer(io::stderr);
    // It fails only where logs were started before, and then there are some.
    let _started = logs.with_ansi(io::IsTerminal::is_terminal(&io::stderr())).try_init();
    Ok(())
}
