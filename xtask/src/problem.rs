//! What a check found, and how it is told.

use std::fmt;
use std::io::Write as _;
use std::process::ExitCode;

/// One breach of a house rule: where it is, and what to do about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Problem {
    path: String,
    line: Option<usize>,
    says: String,
}

impl Problem {
    /// A problem of a whole file or folder.
    pub(crate) fn new(path: impl Into<String>, says: impl Into<String>) -> Self {
        Self { path: path.into(), line: None, says: says.into() }
    }

    /// A problem at one line, counted from 1.
    pub(crate) fn at(path: impl Into<String>, line: usize, says: impl Into<String>) -> Self {
        Self { path: path.into(), line: Some(line), says: says.into() }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}:{line}: {}", self.path, self.says),
            None => write!(f, "{}: {}", self.path, self.says),
        }
    }
}

/// Prints the problems, one a line on standard error, and answers the status of the check.
pub(crate) fn report(check: &str, problems: &[Problem]) -> anyhow::Result<ExitCode> {
    if problems.is_empty() {
        writeln!(std::io::stdout(), "{check}: nothing to do")?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut stderr = std::io::stderr().lock();
    for problem in problems {
        writeln!(stderr, "{problem}")?;
    }
    let noun = if problems.len() == 1 { "problem" } else { "problems" };
    writeln!(stderr, "{check}: {} {noun}", problems.len())?;
    Ok(ExitCode::FAILURE)
}
