//! Why a configuration is refused.

use std::io;

use koinon_domain::ErrorCode;

/// Why a configuration is refused. Each is one line that says where to mend it; no secret is in it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A key does not exist.
    #[error("{key} ({set_by}) is not a configuration key; the nearest one is {nearest}")]
    UnknownKey {
        /// The key.
        key: String,
        /// Where it was set.
        set_by: String,
        /// The known key that is most alike.
        nearest: String,
    },
    /// A value is of another type, or outside of its range.
    #[error("{key} = {value} ({set_by}) must be {allowed}")]
    OutOfRange {
        /// The key.
        key: String,
        /// The value, secrets masked.
        value: String,
        /// Where it was set.
        set_by: String,
        /// What it may be.
        allowed: String,
    },
    /// There are fewer connections to the database than the work that is let in needs.
    #[error(
        "database.max_connections = {connections} is too small for operations.admission.worker_capacity = \
         {capacity}: it must be {needed} or more"
    )]
    PoolTooSmall {
        /// How many connections there are.
        connections: u32,
        /// How many jobs run at once.
        capacity: u32,
        /// How many connections they need.
        needed: u32,
    },
    /// An API key stands in the configuration.
    #[error(
        "{key} ({set_by}) would hold a key in clear text; put the key into an environment variable \
         and name that in {key}_env"
    )]
    ClearKey {
        /// The key of the configuration.
        key: String,
        /// Where it was set.
        set_by: String,
    },
    /// A URL in the file has a password.
    #[error("{key} ({set_by}) has a password in clear text; set {variable} in the environment")]
    ClearPassword {
        /// The key of the configuration.
        key: String,
        /// Where it was set.
        set_by: String,
        /// The variable to set instead.
        variable: String,
    },
    /// The configuration file cannot be read.
    #[error("reading the configuration file {path}")]
    Unreadable {
        /// The file.
        path: String,
        /// Why not.
        source: io::Error,
    },
    /// The configuration file is not TOML.
    #[error("{path}, line {line}, column {column}: {problem}")]
    NotToml {
        /// The file.
        path: String,
        /// The line, from 1.
        line: usize,
        /// The column, from 1.
        column: usize,
        /// What is wrong there.
        problem: String,
    },
    /// The sources could not be put together.
    #[error("putting the configuration together")]
    Sources(#[source] Box<dyn std::error::Error + Send + Sync>),
}

impl Error {
    /// The stable code.
    #[must_use]
    pub const fn code(&self) -> ErrorCode {
        match self {
            Self::UnknownKey { .. } | Self::ClearKey { .. } => ErrorCode::CONFIG_UNKNOWN_KEY,
            Self::OutOfRange { .. } | Self::ClearPassword { .. } => ErrorCode::CONFIG_OUT_OF_RANGE,
            Self::PoolTooSmall { .. } => ErrorCode::POOL_TOO_SMALL,
            Self::Unreadable { .. } | Self::NotToml { .. } | Self::Sources(_) => ErrorCode::USAGE,
        }
    }
}
