//! What the database's errors mean, in one place.

use std::fmt;
use std::sync::Arc;

use koinon_domain::JobStateError;
use koinon_store::Error;
use sqlx::error::DatabaseError;

/// Why a transaction was given up.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The database failed; shared, because every member of the group hears of it.
    Database(Arc<sqlx::Error>),
    /// The verb itself found that it cannot go on.
    Verb(Error),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Database(error) => error.fmt(f),
            Self::Verb(error) => error.fmt(f),
        }
    }
}

impl From<sqlx::Error> for Failure {
    fn from(error: sqlx::Error) -> Self {
        Self::Database(Arc::new(error))
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Verb(error)
    }
}

impl From<JobStateError> for Failure {
    fn from(error: JobStateError) -> Self {
        Self::Verb(error.into())
    }
}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Database(error) => of_shared(&error),
            Failure::Verb(error) => error,
        }
    }
}

/// The unique index that one identity of a tenant meets when it is submitted twice at once.
const IDENTITY: &str = "jobs_tenant_identity_incarnation_key";

impl Failure {
    /// Whether the same transaction may succeed at once: two transactions stood in each other's way, and
    /// this is the one that was taken back.
    pub(crate) fn is_collision(&self) -> bool {
        let Self::Database(error) = self else { return false };
        let Some(said) = error.as_database_error() else { return false };
        let code = said.code().unwrap_or_default();
        code == DEADLOCK || code == SERIALIZATION || said.constraint() == Some(IDENTITY)
    }

    /// Whether others hold what is wanted, so that the same transaction may succeed once they have let go.
    pub(crate) fn is_in_the_way(&self) -> bool {
        let Self::Database(error) = self else { return false };
        let said = error.as_database_error().and_then(DatabaseError::code);
        self.is_collision() || said.is_some_and(|code| code == LOCK_NOT_AVAILABLE)
    }

    /// Whether something is there already that was expected to be new.
    pub(crate) fn is_duplicate(&self) -> bool {
        let Self::Database(error) = self else { return false };
        error.as_database_error().is_some_and(DatabaseError::is_unique_violation)
    }

    /// Whether the connection is not to be used again: it does not answer, or has statements that were
    /// prepared before somebody changed the schema.
    pub(crate) fn breaks_connection(&self) -> bool {
        let Self::Database(error) = self else { return false };
        match &**error {
            sqlx::Error::Database(said) => said.code().is_some_and(|code| code == OUTDATED_PLAN),
            sqlx::Error::Io(_)
            | sqlx::Error::Tls(_)
            | sqlx::Error::Protocol(_)
            | sqlx::Error::WorkerCrashed => true,
            _ => false,
        }
    }

    /// Whether the failure is nobody's own, so that every member of a group meets it.
    pub(crate) fn is_of_all(&self) -> bool {
        match self {
            Self::Database(error) => of_shared(error).is_transient(),
            Self::Verb(_) => false,
        }
    }

    /// The store's error, for one of many that share it.
    pub(crate) fn shared(&self) -> Error {
        match self {
            Self::Database(error) => of_shared(error),
            Self::Verb(error) => Error::Other(error.to_string().into()),
        }
    }
}

/// The store's error for what the database said.
pub(crate) fn of(error: sqlx::Error) -> Error {
    of_shared(&Arc::new(error))
}

fn of_shared(error: &Arc<sqlx::Error>) -> Error {
    let source = Box::new(Arc::clone(error));
    match kind(error) {
        Kind::Busy | Kind::Gone => Error::Unavailable(source),
        Kind::Full => Error::Full(source),
        Kind::Corrupt => Error::Corrupt { what: error.to_string() },
        Kind::Refused => {
            let said = error.as_database_error().map(|said| said.message().to_owned());
            Error::Invalid(said.unwrap_or_else(|| error.to_string()))
        }
        Kind::Pooled => Error::Invalid(POOLED.to_owned()),
        Kind::Schema => Error::Schema { hint: crate::migrate::hint("lacks a table or a column") },
        Kind::Other => Error::Other(source),
    }
}

/// The store was closed.
pub(crate) fn closed() -> Error {
    of(sqlx::Error::PoolClosed)
}

/// What to do when sessions are shared without our knowing.
const POOLED: &str = "a pooler stands before the database and shares its sessions: set \
                      store.postgres.pooler = true (in the environment \
                      KOINON_STORE__POSTGRES__POOLER=true)";

enum Kind {
    Pooled,
    Busy,
    Gone,
    Full,
    Corrupt,
    Refused,
    Schema,
    Other,
}

// Source: https://www.postgresql.org/docs/15/errcodes-appendix.html
const DEADLOCK: &str = "40P01";
const SERIALIZATION: &str = "40001";
const LOCK_NOT_AVAILABLE: &str = "55P03";
const QUERY_CANCELED: &str = "57014";
const DISK_FULL: &str = "53100";
const READ_ONLY: &str = "25006";
const IDLE_IN_TRANSACTION: &str = "25P03";
/// "Cached plan must not change result type."
const OUTDATED_PLAN: &str = "0A000";
/// A statement that was prepared is gone, or is there although nobody prepared it: another session.
const NO_SUCH_STATEMENT: &str = "26000";
const STATEMENT_EXISTS: &str = "42P05";
/// PgBouncer says so of the settings that a session begins with.
const UNSUPPORTED_SETTING: &str = "unsupported startup parameter";
const NO_SUCH_DATABASE: &str = "3D000";
const NO_SUCH_TABLE: &str = "42P01";
const NO_SUCH_COLUMN: &str = "42703";

fn kind(error: &sqlx::Error) -> Kind {
    match error {
        sqlx::Error::Database(said) => {
            let code = said.code().unwrap_or_default();
            if said.message().starts_with(UNSUPPORTED_SETTING) {
                return Kind::Pooled;
            }
            match (&*code, code.get(..2).unwrap_or_default()) {
                (NO_SUCH_STATEMENT | STATEMENT_EXISTS, _) => Kind::Pooled,
                (DISK_FULL, _) => Kind::Full,
                (DEADLOCK | SERIALIZATION | LOCK_NOT_AVAILABLE | QUERY_CANCELED, _) => Kind::Busy,
                (READ_ONLY | IDLE_IN_TRANSACTION | OUTDATED_PLAN, _) | (_, "08" | "53" | "57") => {
                    Kind::Gone
                }
                (NO_SUCH_TABLE | NO_SUCH_COLUMN, _) => Kind::Schema,
                (NO_SUCH_DATABASE, _) | (_, "22" | "23" | "28") => Kind::Refused,
                (_, "XX") => Kind::Corrupt,
                _ => Kind::Other,
            }
        }
        sqlx::Error::Io(_)
        | sqlx::Error::Protocol(_)
        | sqlx::Error::PoolTimedOut
        | sqlx::Error::PoolClosed
        | sqlx::Error::WorkerCrashed => Kind::Gone,
        sqlx::Error::ColumnDecode { .. } | sqlx::Error::ColumnNotFound(_) => Kind::Corrupt,
        sqlx::Error::Configuration(_) => Kind::Refused,
        _ => Kind::Other,
    }
}
