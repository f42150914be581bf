//! The configuration, read from a folder and variables of the test's own.

mod listening;
mod origins;
mod precedence;
mod ranges;
mod secrets;
mod unknown;

use std::fs;
use std::path::PathBuf;

use tempfile::TempDir;

use super::load::Surroundings;
use super::{Error, Flags, Loaded};

/// What a process finds around it, in a folder that goes away with the test.
struct Process {
    folder: TempDir,
    variables: Vec<(String, String)>,
    flags: Flags,
}

impl Process {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        Self { folder, variables: Vec::new(), flags: Flags::default() }
    }

    fn file(self, text: &str) -> Self {
        self.named_file("koinon.toml", text)
    }

    fn named_file(self, name: &str, text: &str) -> Self {
        fs::write(self.folder.path().join(name), text).unwrap();
        self
    }

    fn variable(mut self, name: &str, value: &str) -> Self {
        self.variables.push((name.to_owned(), value.to_owned()));
        self
    }

    fn config(mut self, name: &str) -> Self {
        self.flags.config = Some(PathBuf::from(name));
        self
    }

    fn database(mut self, url: &str) -> Self {
        self.flags.database = Some(url.to_owned());
        self
    }

    fn load(self) -> Result<Loaded, Error> {
        let variables = self.variables.into_iter();
        let surroundings = Surroundings {
            folder: self.folder.path().to_owned(),
            variables: variables.map(|(name, value)| (name.into(), value.into())).collect(),
        };
        surroundings.load(&self.flags)
    }

    /// The code and the message of a refusal.
    fn refusal(self) -> (String, String) {
        let error = self.load().unwrap_err();
        (error.code().to_string(), error.to_string())
    }
}

fn file(text: &str) -> Process {
    Process::new().file(text)
}

fn variable(name: &str, value: &str) -> Process {
    Process::new().variable(name, value)
}
