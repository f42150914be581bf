//! A folder of its own for each test, and the program run in it.

use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

const GUIDE: &str = "# Setting up\n\nThe server keeps its data in a folder beside the program. A backup \
    of this folder is taken every night at two o'clock. Restoring a backup takes about ten minutes \
    on a small machine.\n\n## Ports\n\nThe server listens on port 8080 unless another port is \
    configured. Port 9090 serves the metrics of the process. Both ports can be changed in the \
    configuration file.\n\n## Users\n\nEvery user has a name and a role. The administrator creates \
    users on the first page of the console. A user who forgets the password asks the administrator \
    for a new one.\n";

/// A folder that is removed at the end of the test.
pub(crate) struct Place(TempDir);

/// How the program ended, and what it said.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Place {
    /// A folder with one document, `guide.md`.
    pub(crate) fn new() -> Self {
        let place = Self(tempfile::tempdir().unwrap());
        place.write("guide.md", GUIDE);
        place
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    /// The program, with nothing of the tester's own configuration.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_koinon"));
        for (name, _) in std::env::vars_os() {
            let known = name.to_string_lossy();
            if known.starts_with("KOINON_") || known.starts_with("OPENAI_") || known == "RUST_LOG" {
                command.env_remove(name);
            }
        }
        command.current_dir(self.0.path()).args(args).stdin(Stdio::null());
        command
    }

    /// Starts it and does not wait.
    pub(crate) fn start(&self, args: &[&str], variables: &[(&str, &str)]) -> Child {
        let mut command = self.command(args);
        command.envs(variables.iter().copied());
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    }

    /// Runs it to its end.
    pub(crate) fn koinon(&self, args: &[&str]) -> Ended {
        Ended::of(self.command(args).output().unwrap())
    }

    /// Runs it with `--json`, which prints one object, whatever happens.
    pub(crate) fn json(&self, args: &[&str]) -> (Option<i32>, Value) {
        let ended = self.koinon(&[args, &["--json"]].concat());
        (ended.code, ended.object())
    }
}

impl Ended {
    pub(crate) fn of(output: Output) -> Self {
        let stdout = String::from_utf8(output.stdout).unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(!stderr.contains("panicked"), "{stderr}");
        Self { code: output.status.code(), stdout, stderr }
    }

    pub(crate) fn object(&self) -> Value {
        let object = serde_json::from_str(&self.stdout);
        let object: Value = object.unwrap_or_else(|error| panic!("{error}: {self:?}"));
        assert!(object.is_object(), "{object}");
        object
    }
}
