//! What the database's errors mean, in one place.

use std::sync::Arc;

use koinon_domain::JobStateError;
use koinon_store::Error;

/// Why a transaction was given up.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The database failed; shared, because every member of the group hears of it.
    Database(Arc<rusqlite::Error>),
    /// The verb itself found that it cannot go on.
    Verb(Error),
}

impl From<rusqlite::Error> for Failure {
    fn from(error: rusqlite::Error) -> Self {
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

impl Failure {
    /// Whether another try of the same statement may succeed at once, because somebody else has the
    /// lock that it needs.
    pub(crate) fn is_busy(&self) -> bool {
        match self {
            Self::Database(error) => matches!(kind(error), Kind::Busy),
            Self::Verb(_) => false,
        }
    }
}

/// The store's error for what the database said to a whole group.
pub(crate) fn of_shared(error: &Arc<rusqlite::Error>) -> Error {
    let source = Box::new(Arc::clone(error));
    match kind(error) {
        Kind::Busy => Error::Unavailable(source),
        Kind::Full => Error::Full(source),
        Kind::Corrupt => Error::Corrupt { what: error.to_string() },
        Kind::Constraint => Error::Invalid(error.to_string()),
        Kind::Other => Error::Other(source),
    }
}

/// The store was closed, or its writer has ended.
pub(crate) fn closed() -> Error {
    Error::Unavailable("the store is closed".into())
}

enum Kind {
    Busy,
    Full,
    Corrupt,
    Constraint,
    Other,
}

// Source: https://www.sqlite.org/rescode.html
const BUSY: i32 = 5;
const LOCKED: i32 = 6;
const CORRUPT: i32 = 11;
const FULL: i32 = 13;
const CONSTRAINT: i32 = 19;
const NOTADB: i32 = 26;
/// The file of shared memory cannot grow, which happens on a full disk only.
const IOERR_SHMSIZE: i32 = 4874;

fn kind(error: &rusqlite::Error) -> Kind {
    let code = error.sqlite_error().map_or(0, |said| said.extended_code);
    match (code, code & 0xff) {
        (IOERR_SHMSIZE, _) | (_, FULL) => Kind::Full,
        (_, BUSY | LOCKED) => Kind::Busy,
        (_, CORRUPT | NOTADB) => Kind::Corrupt,
        (_, CONSTRAINT) => Kind::Constraint,
        _ => Kind::Other,
    }
}
