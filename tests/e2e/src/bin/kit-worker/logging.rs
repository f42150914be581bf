//! Logs: to standard error, one JSON object a line, from `warn` on unless `KOINON_LOG` or `RUST_LOG` says otherwise.

use koinon::settings::{Error, log_filter};
use tracing_subscriber::EnvFilter;

/// Starts the logs of the process.
pub(crate) fn start() -> Result<(), Error> {
    let filter = log_filter(|text| EnvFilter::try_new(text).ok())?;
    let filter = filter.unwrap_or_else(|| EnvFilter::new("warn"));
    let logs = tracing_subscriber::fmt().json().with_env_filter(filter);
    // It fails only where logs were started before, and then there are some.
    let _started = logs.with_writer(std::io::stderr).try_init();
    Ok(())
}
