//! What can go wrong while an engine is put together or a job is submitted.

use koinon_budget::InvalidProfile;
use koinon_domain::{ErrorCode, InvalidName, QueueName};
use koinon_runner::Trouble;

use crate::{Datasource, Role, settings};

/// What went wrong, cut by what to do about it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The configuration is wrong: correct it.
    #[error(transparent)]
    Settings(#[from] settings::Error),
    /// `KOINON_PROCESS_ROLE` names another role than that of the program: start the other program, or
    /// correct the variable.
    #[error(
        "KOINON_PROCESS_ROLE is {found:?}, but this program's role is {role}; start the program of that role, \
         or correct or remove the variable"
    )]
    Role {
        /// The role of the program.
        role: Role,
        /// What the variable says.
        found: String,
    },
    /// The database's address is of a kind that this build has no store for: use another.
    #[error(
        "database.url: {reason}; this build opens postgres://user@host:port/name, sqlite://relative/path and \
         sqlite:///absolute/path"
    )]
    Database {
        /// Why it cannot be used. It has no more of the address than its scheme.
        reason: String,
    },
    /// A configured provider cannot be set up: correct its settings.
    #[error("setting up providers.{name}")]
    Provider {
        /// The provider's name.
        name: String,
        /// Why not.
        source: koinon_provider::Error,
    },
    /// A provider that was asked for is not there: configure it, or name another.
    #[error("provider {name} is not available: {reason}")]
    NoProvider {
        /// The provider's name.
        name: String,
        /// What is missing, and what to do.
        reason: String,
    },
    /// A job was to be driven here whose queue is not in the primary database: submit it, and let a worker
    /// run it.
    #[error(
        "the queue {queue} is in the database of {datasource}, and only jobs of the primary database are \
         driven here; submit the job, and let a worker run it"
    )]
    Elsewhere {
        /// The queue.
        queue: QueueName,
        /// Where it is.
        datasource: Datasource,
    },
    /// A name cannot be used: choose another.
    #[error(transparent)]
    Name(#[from] InvalidName),
    /// The input of a workload cannot be written as JSON: a fault in its type.
    #[error("writing the input of a {kind} job as JSON")]
    Input {
        /// The workload's kind.
        kind: &'static str,
        /// Why not.
        source: serde_json::Error,
    },
    /// No workload of this program runs the kind: name another, or say that others run it.
    #[error("this program has no workload of the kind {kind:?}")]
    UnknownKind {
        /// The kind.
        kind: String,
    },
    /// A schedule's queue is in another database: open that one, and add the schedule there.
    #[error(
        "the queue {queue} is in the datasource {datasource}, and a schedule lives beside its jobs: add it \
         with that database as database.url"
    )]
    ScheduleElsewhere {
        /// The queue.
        queue: String,
        /// The datasource that it is in.
        datasource: crate::Datasource,
    },
    /// A payload is not what the workload of its kind takes.
    #[error(transparent)]
    Payload(#[from] koinon_runner::Failure),
    /// A job could not be settled: mend that, and run it again.
    #[error(transparent)]
    Trouble(#[from] Trouble),
    /// The prices that come with the program cannot be read, which a test rules out.
    #[error("reading the built-in prices")]
    Prices(#[from] InvalidProfile),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] koinon_store::Error),
    /// The artifact store failed.
    #[error(transparent)]
    Artifacts(#[from] koinon_artifacts::Error),
}

impl Error {
    /// The stable code.
    #[must_use]
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::Settings(error) => error.code(),
            Self::Role { .. } => ErrorCode::ROLE_MISMATCH,
            Self::Provider { .. } => ErrorCode::CONFIG_OUT_OF_RANGE,
            Self::Database { .. }
            | Self::NoProvider { .. }
            | Self::Elsewhere { .. }
            | Self::Name(_)
            | Self::Prices(_) => ErrorCode::USAGE,
            Self::Input { .. } => ErrorCode::INVALID_INPUT,
            Self::UnknownKind { .. } => ErrorCode::UNKNOWN_KIND,
            Self::ScheduleElsewhere { .. } => ErrorCode::USAGE,
            Self::Payload(failure) => failure.code().clone(),
            Self::Trouble(trouble) => trouble.code.clone(),
            Self::Store(error) => error.code(),
            Self::Artifacts(error) => ErrorCode::foreign(error.code()),
        }
    }

    /// Whether the same request may succeed later with nobody changing anything else.
    #[must_use]
    pub const fn is_transient(&self) -> bool {
        match self {
            Self::Store(error) => error.is_transient(),
            Self::Artifacts(error) => error.is_transient(),
            Self::Settings(_)
            | Self::Role { .. }
            | Self::Database { .. }
            | Self::Provider { .. }
            | Self::NoProvider { .. }
            | Self::Elsewhere { .. }
            | Self::Name(_)
            | Self::Input { .. }
            | Self::UnknownKind { .. }
            | Self::ScheduleElsewhere { .. }
            | Self::Payload(_)
            | Self::Trouble(_)
            | Self::Prices(_) => false,
        }
    }
}
