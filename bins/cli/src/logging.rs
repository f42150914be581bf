//! Logs: to standard error, from `warn` on unless `KOINON_LOG` or `RUST_LOG` says otherwise.

use std::io;

use koinon::settings::log_filter;
use koinon::told;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::MakeWriter;

use crate::console;
use crate::exit::Exit;
use crate::fault::Fault;

/// Writes each log line around the progress bar.
#[derive(Debug, Clone, Copy)]
struct Lines;

impl io::Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        console::remark(&String::from_utf8_lossy(bytes));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl MakeWriter<'_> for Lines {
    type Writer = Self;

    fn make_writer(&self) -> Self::Writer {
        *self
    }
}

/// Starts the logs of the process.
pub(crate) fn start() -> Result<(), Fault> {
    let filter = log_filter(|text| EnvFilter::try_new(text).ok())
        .map_err(|error| Fault::new(error.code(), told(&error)).exit(Exit::Usage))?;
    let filter = filter.unwrap_or_else(|| EnvFilter::new("warn"));
    let logs = tracing_subscriber::fmt().with_env_filter(filter).with_writer(Lines);
    // It fails only where logs were started before, and then there are some.
    let _started = logs.try_init();
    Ok(())
}
