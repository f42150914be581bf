//! Logs: to standard error, from `info` on for Koinon and from `warn` on for everything else, unless
//! `KOINON_LOG` or `RUST_LOG` says otherwise.

use std::io;

use tracing_subscriber::EnvFilter;

const FILTER: &str = "warn,koinon=info";

/// Starts the logs of the process. A filter that cannot be read counts as none.
pub(crate) fn start() {
    let wanted = ["KOINON_LOG", "RUST_LOG"].into_iter().find_map(|name| std::env::var(name).ok());
    let filter = wanted.and_then(|text| EnvFilter::try_new(text).ok());
    let filter = filter.unwrap_or_else(|| EnvFilter::new(FILTER));
    let logs = tracing_subscriber::fmt().with_env_filter(filter).with_writer(io::stderr);
    // It fails only where logs were started before, and then there are some.
    let _started = logs.with_ansi(io::IsTerminal::is_terminal(&io::stderr())).try_init();
}
