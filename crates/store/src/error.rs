//! What can go wrong in a store, cut by what the caller does about it.

use koinon_domain::{ErrorCode, JobStateError};

type Source = Box<dyn std::error::Error + Send + Sync>;

/// A failure of the store itself. Refusals and lost fences are answers, not errors.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// It cannot be reached, or is busy for too long: try again.
    #[error("the store is not available")]
    Unavailable(#[source] Source),
    /// There is no space left: make some, then try again.
    #[error("the store has no space left")]
    Full(#[source] Source),
    /// Its schema is not the one that this program knows.
    #[error("the database's schema does not match this program: {hint}")]
    Schema {
        /// What to do.
        hint: String,
    },
    /// A row cannot be read as what it should be.
    #[error("the store has something that cannot be read: {what}")]
    Corrupt {
        /// Which row and why.
        what: String,
    },
    /// A request that no store can carry out.
    #[error("the request to the store is wrong: {0}")]
    Invalid(String),
    /// The state machine has no such transition: a fault in the caller.
    #[error("the request does not fit the job's state")]
    State(#[from] JobStateError),
    /// Anything else that the database says.
    #[error("the store failed")]
    Other(#[source] Source),
}

impl Error {
    /// Whether the same request may succeed later.
    #[must_use]
    pub const fn is_transient(&self) -> bool {
        match self {
            Self::Unavailable(_) | Self::Full(_) => true,
            Self::Schema { .. }
            | Self::Corrupt { .. }
            | Self::Invalid(_)
            | Self::State(_)
            | Self::Other(_) => false,
        }
    }

    /// The stable code.
    #[must_use]
    pub const fn code(&self) -> ErrorCode {
        match self {
            Self::Unavailable(_) | Self::Other(_) => ErrorCode::STORE_UNAVAILABLE,
            Self::Full(_) => ErrorCode::DISK_FULL,
            Self::Schema { .. } => ErrorCode::SCHEMA_MISMATCH,
            Self::Corrupt { .. } => ErrorCode::STORE_CORRUPT,
            Self::Invalid(_) => ErrorCode::USAGE,
            Self::State(_) => ErrorCode::ILLEGAL_TRANSITION,
        }
    }
}
