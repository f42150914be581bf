//! Why a command ends without doing what was asked.

use koinon::domain::{ControlRefusal, ErrorCode};
use koinon::told;

use crate::exit::Exit;

/// What a command tells instead of a result: one sentence under a stable code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) code: ErrorCode,
    pub(crate) summary: String,
    pub(crate) help: Option<String>,
    pub(crate) exit: Exit,
}

impl Fault {
    /// The command itself is fine, and yet it could not be done.
    pub(crate) fn new(code: ErrorCode, summary: impl Into<String>) -> Self {
        Self { code, summary: summary.into(), help: None, exit: Exit::Failed }
    }

    /// The command is wrong in itself; nothing was changed.
    pub(crate) fn usage(summary: impl Into<String>) -> Self {
        Self::new(ErrorCode::USAGE, summary).exit(Exit::Usage)
    }

    /// The program was told to stop.
    pub(crate) fn interrupted(summary: impl Into<String>) -> Self {
        Self::new(ErrorCode::INTERRUPTED, summary).exit(Exit::Interrupted)
    }

    /// There is no such thing.
    pub(crate) fn not_found(summary: impl Into<String>) -> Self {
        Self::new(ErrorCode::NOT_FOUND, summary)
            .help("`koinon job list` shows the jobs of this database; `--database` names another")
    }

    /// The job's state does not allow it.
    pub(crate) fn refused(refusal: ControlRefusal) -> Self {
        let code = match refusal {
            ControlRefusal::StillPausing => ErrorCode::STILL_PAUSING,
            ControlRefusal::Illegal(_) => ErrorCode::ILLEGAL_TRANSITION,
        };
        Self::new(code, refusal.to_string())
    }

    /// The same, with what can be done about it.
    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// The same, with another exit code.
    pub(crate) const fn exit(mut self, exit: Exit) -> Self {
        self.exit = exit;
        self
    }
}

impl From<koinon::store::Error> for Fault {
    fn from(error: koinon::store::Error) -> Self {
        let fault = Self::new(error.code(), told(&error));
        match error {
            koinon::store::Error::Schema { .. } | koinon::store::Error::Invalid(_) => {
                fault.exit(Exit::Usage)
            }
            koinon::store::Error::Full(_) => {
                fault.help("make some space, then run the same command again")
            }
            _ => fault,
        }
    }
}

impl From<koinon::artifacts::Error> for Fault {
    fn from(error: koinon::artifacts::Error) -> Self {
        let fault = Self::new(ErrorCode::foreign(error.code()), told(&error));
        match error {
            koinon::artifacts::Error::BadUrl { .. } => fault.exit(Exit::Usage),
            koinon::artifacts::Error::Full { .. } => {
                fault.help("make some space, then run the same command again")
            }
            koinon::artifacts::Error::Missing { .. }
            | koinon::artifacts::Error::Damaged { .. } => fault.help(
                "restore the artifact folder, or give --key NAME to submit the work as a new job",
            ),
            _ => fault,
        }
    }
}

impl From<koinon::Error> for Fault {
    fn from(error: koinon::Error) -> Self {
        match error {
            koinon::Error::Store(error) => error.into(),
            koinon::Error::Artifacts(error) => error.into(),
            // Everything else is wrong in the command or in the configuration.
            error => Self::new(error.code(), told(&error)).exit(Exit::Usage),
        }
    }
}
