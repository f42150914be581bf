//! The role of a process, which the program and its environment must agree on.

use std::ffi::OsStr;
use std::fmt;

use crate::Error;

/// The variable that names the role of a process.
const VARIABLE: &str = "KOINON_PROCESS_ROLE";

/// What a process is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// It answers requests, and never runs a job.
    Api,
    /// It runs jobs, and answers no request.
    Worker,
}

impl Role {
    /// Refuses to go on where `KOINON_PROCESS_ROLE` names another role. A variable that is not set, or is
    /// empty, names none.
    ///
    /// # Errors
    ///
    /// [`Error::Role`] with what the variable says.
    pub fn check(self) -> Result<(), Error> {
        self.agrees(std::env::var_os(VARIABLE).as_deref())
    }

    fn agrees(self, named: Option<&OsStr>) -> Result<(), Error> {
        match named.filter(|named| !named.is_empty()) {
            Some(named) if named != self.name() => {
                let found = koinon_domain::clean(&named.to_string_lossy(), 64);
                Err(Error::Role { role: self, found })
            }
            _ => Ok(()),
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Api => "api",
            Self::Worker => "worker",
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_role_of_the_program_is_agreed_on() {
        for named in [None, Some(""), Some("worker")] {
            assert!(Role::Worker.agrees(named.map(OsStr::new)).is_ok(), "{named:?}");
        }
        for named in ["api", "Worker", " worker", "all"] {
            let error = Role::Worker.agrees(Some(OsStr::new(named))).unwrap_err();
            assert_eq!(error.code().as_str(), "role_mismatch", "{named:?}");
        }
        assert!(Role::Api.agrees(Some(OsStr::new("worker"))).is_err());
    }
}
