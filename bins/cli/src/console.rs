//! The one place that writes to standard output and standard error.

use std::fmt::Display;
use std::io::{self, Write as _};
use std::sync::LazyLock;

use indicatif::MultiProgress;
use koinon::domain::ErrorCode;
use serde::Serialize;

use crate::fault::Fault;

/// The bars on standard error; whatever else is written there steps around them.
pub(crate) static BARS: LazyLock<MultiProgress> = LazyLock::new(MultiProgress::new);

/// For whom results are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    /// People.
    Text,
    /// Programs: one JSON object.
    Json,
}

/// Where results and remarks go.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Console(Format);

#[derive(Serialize)]
struct FaultView<'a> {
    error_code: &'a str,
    error_summary: &'a str,
}

impl Console {
    pub(crate) const fn new(format: Format) -> Self {
        Self(format)
    }

    /// Writes the result, in the form that was asked for.
    pub(crate) fn show<T: Serialize>(
        self,
        result: &T,
        text: impl FnOnce(&T) -> String,
    ) -> Result<(), Fault> {
        let text = match self.0 {
            Format::Text => text(result),
            Format::Json => serde_json::to_string(result)
                .map_err(|error| Fault::new(ErrorCode::PERMANENT, error.to_string()))?,
        };
        written(&text)
    }

    /// A remark for people; nothing depends on it.
    pub(crate) fn remark(self, text: impl Display) {
        remark(&format!("{text}\n"));
    }

    /// Something that a person should know about the input.
    pub(crate) fn warning(self, text: impl Display) {
        remark(&format!("\x1b[1;33mwarning\x1b[0m: {text}\n"));
    }

    /// What a result comes to, and what to do about it, where nothing went wrong.
    pub(crate) fn note(self, summary: &str, help: &str) {
        remark(&format!("\x1b[1mnote\x1b[0m: {summary}\n\x1b[1;36mhelp\x1b[0m: {help}\n"));
    }

    /// What went wrong, in one line, and what to do, in another.
    pub(crate) fn error(self, code: &ErrorCode, summary: &str, help: Option<&str>) {
        let summary = summary.trim_end();
        let mut text = format!("\x1b[1;31merror\x1b[0m[{code}]: {summary}\n");
        if let Some(help) = help {
            text.push_str(&format!("\x1b[1;36mhelp\x1b[0m: {help}\n"));
        }
        remark(&text);
    }

    /// A command that has no result: the error, and for programs an object in place of the result.
    pub(crate) fn fault(self, fault: &Fault) {
        self.error(&fault.code, &fault.summary, fault.help.as_deref());
        if self.0 == Format::Json {
            // The error is already told; if even this cannot be written, the exit code remains.
            let _unwritten = self.object_of(fault);
        }
    }

    /// The object that a program gets in place of a result.
    pub(crate) fn object_of(self, fault: &Fault) -> Result<(), Fault> {
        let view = FaultView { error_code: fault.code.as_str(), error_summary: &fault.summary };
        self.show(&view, |_| String::new())
    }
}

/// Writes to standard output. Nobody reads it any more: that is not an error.
pub(crate) fn written(text: &str) -> Result<(), Fault> {
    let mut out = anstream::stdout().lock();
    let line_end = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
    let result = write!(out, "{text}{line_end}").and_then(|()| out.flush());
    match result {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        Err(error) => {
            let code = match error.kind() {
                io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => ErrorCode::DISK_FULL,
                _ => ErrorCode::OUTPUT_NOT_WRITABLE,
            };
            Err(Fault::new(code, format!("standard output cannot be written: {error}")))
        }
    }
}

/// Writes to standard error; when that is gone, there is nobody left to tell.
pub(crate) fn remark(text: &str) {
    BARS.suspend(|| {
        let mut err = anstream::stderr().lock();
        let _gone = err.write_all(text.as_bytes()).and_then(|()| err.flush());
    });
}
