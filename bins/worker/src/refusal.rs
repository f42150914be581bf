//! Why the program does not start, or cannot go on.

use std::io::Write as _;
use std::process::ExitCode;

use koinon::domain::ErrorCode;
use koinon::{settings, told};

/// One line for standard error: a stable code, and what to mend.
#[derive(Debug)]
pub(crate) struct Refusal {
    code: ErrorCode,
    says: String,
}

impl Refusal {
    pub(crate) const fn new(code: ErrorCode, says: String) -> Self {
        Self { code, says }
    }

    /// Writes it to standard error, and returns what the process exits with.
    pub(crate) fn exit(&self) -> ExitCode {
        let line = format!("\x1b[1;31merror\x1b[0m[{}]: {}\n", self.code, self.says.trim_end());
        // Where standard error is gone, the exit code still tells.
        let _unwritten = anstream::stderr().write_all(line.as_bytes());
        ExitCode::from(2)
    }
}

/// A command line that is wrong, without the lines that show how the program is called.
impl From<clap::Error> for Refusal {
    fn from(error: clap::Error) -> Self {
        let text = error.render().to_string();
        let says = text.strip_prefix("error: ").unwrap_or(&text).lines().map(str::trim);
        let says = says.take_while(|line| !line.starts_with("Usage:"));
        let says: Vec<_> = says.filter(|line| !line.is_empty()).collect();
        Self::new(ErrorCode::USAGE, format!("{}; --help shows what is possible", says.join("; ")))
    }
}

impl From<koinon::Error> for Refusal {
    fn from(error: koinon::Error) -> Self {
        Self::new(error.code(), told(&error))
    }
}

impl From<settings::Error> for Refusal {
    fn from(error: settings::Error) -> Self {
        Self::new(error.code(), told(&error))
    }
}
