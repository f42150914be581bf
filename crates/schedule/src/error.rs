//! Why something is no schedule.

use koinon_domain::ErrorCode;

/// Why something is no schedule.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Invalid {
    /// A field of a cron expression cannot be read.
    #[error("the field {field} of the cron expression cannot be {value:?}: {reason}")]
    Field {
        /// Which field: `second`, `minute`, `hour`, `day of month`, `month` or `day of week`.
        field: &'static str,
        /// What stands there.
        value: String,
        /// Why not.
        reason: String,
    },
    /// The expression as a whole cannot be read.
    #[error("{expression:?} is no cron expression: {reason}")]
    Expression {
        /// The expression.
        expression: String,
        /// Why not.
        reason: String,
    },
    /// There is no time zone of that name.
    #[error("there is no time zone {0:?}; zones have names such as Europe/Berlin or UTC")]
    Zone(String),
    /// An interval is too short or too long.
    #[error("an interval is at least 1 s and at most 366 days")]
    Interval,
}

impl Invalid {
    /// The stable code.
    #[must_use]
    pub const fn code(&self) -> ErrorCode {
        match self {
            Self::Field { .. } | Self::Expression { .. } => ErrorCode::INVALID_CRON,
            Self::Zone(_) => ErrorCode::UNKNOWN_TIME_ZONE,
            Self::Interval => ErrorCode::INVALID_INTERVAL,
        }
    }
}
