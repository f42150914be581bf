//! A process that has ended.

use std::time::Duration;

use serde_json::Value;

/// What a process left behind.
#[derive(Debug, Clone)]
pub struct Ended {
    /// Its exit code; `None` if a signal ended it.
    pub code: Option<i32>,
    /// What it wrote to stdout.
    pub stdout: String,
    /// What it wrote to stderr.
    pub stderr: String,
    /// How long it ran.
    pub took: Duration,
    pub(super) said: String,
}

impl Ended {
    pub(super) fn without_a_panic(self) -> Self {
        assert!(!self.stderr.contains("panicked at"), "a panic: {self}");
        assert_ne!(self.code, Some(101), "a panic: {self}");
        self
    }

    /// Holds it against the exit code that it must have.
    #[must_use]
    pub fn with_code(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "another exit code: {self}");
        self
    }

    /// The one object that it printed.
    #[must_use]
    pub fn json(&self) -> Value {
        match serde_json::from_str(&self.stdout) {
            Ok(value @ Value::Object(_)) => value,
            other => panic!("no JSON object ({other:?}): {self}"),
        }
    }

    /// The one object that it printed, once it has ended with this code.
    #[must_use]
    pub fn json_with_code(self, code: i32) -> Value {
        self.with_code(code).json()
    }
}

impl std::fmt::Display for Ended {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { code, stdout, stderr, took, said } = self;
        write!(
            f,
            "`koinon {said}` ended with {code:?} after {took:?}\nstdout: {stdout}\nstderr: {stderr}"
        )
    }
}
