//! A folder of its own for each test, and the program run in it.

use std::io::Read as _;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

/// A folder that is removed at the end of the test.
pub(crate) struct Place(TempDir);

/// The program while it runs; it is killed when this value goes.
pub(crate) struct Running(Child);

/// How the program ended, and what it said on standard error.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Ended {
    pub(crate) code: Option<i32>,
    pub(crate) stderr: String,
}

impl Place {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).unwrap();
    }

    /// Starts the program with nothing of the tester's own configuration.
    pub(crate) fn start(&self, args: &[&str], variables: &[(&str, &str)]) -> Running {
        let mut command = Command::new(env!("CARGO_BIN_EXE_koinon-worker"));
        for (name, _) in std::env::vars_os() {
            let known = name.to_string_lossy();
            if known.starts_with("KOINON_") || known == "RUST_LOG" {
                command.env_remove(name);
            }
        }
        command.current_dir(self.0.path()).args(args).envs(variables.iter().copied());
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        Running(command.spawn().unwrap())
    }

    /// Runs the program to its end.
    pub(crate) fn run(&self, args: &[&str], variables: &[(&str, &str)]) -> Ended {
        self.start(args, variables).ended()
    }
}

impl Running {
    pub(crate) fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.0), signal).unwrap();
    }

    /// Reads standard error until a line has this text.
    pub(crate) fn says(&mut self, text: &str) {
        let stderr = self.0.stderr.as_mut().unwrap();
        let (mut said, mut byte) = (Vec::new(), [0]);
        while !String::from_utf8_lossy(&said).contains(text) {
            let read = stderr.read(&mut byte).unwrap();
            assert_eq!(read, 1, "it ended: {}", String::from_utf8_lossy(&said));
            said.push(byte[0]);
        }
    }

    /// Waits for its end; what [`says`](Self::says) has read is not in the result.
    pub(crate) fn ended(mut self) -> Ended {
        let mut stderr = String::new();
        self.0.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
        assert!(!stderr.contains("panicked"), "{stderr}");
        Ended { code: self.0.wait().unwrap().code(), stderr }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // Mostly it has ended by itself.
        let _ended = self.0.kill();
        let _reaped = self.0.wait();
    }
}
