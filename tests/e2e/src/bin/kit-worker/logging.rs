//! Logs: to standard error, one JSON object a line, from `warn` on unless `KOINON_LOG` says otherwise.

use tracing_subscriber::EnvFilter;

/// Starts the logs of the process. A filter that cannot be read counts as none.
pub(crate) fn start() {
    let wanted = std::env::var("KOINON_LOG").ok().and_then(|text| EnvFilter::try_new(text).ok());
    let filter = wanted.unwrap_or_else(|| EnvFilter::new("warn"));
    let logs = tracing_subscriber::fmt().json().with_env_filter(filter);
    // It fails only where logs were started before, and then there are some.
    let _started = logs.with_writer(std::io::stderr).try_init();
}
