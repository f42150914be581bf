//! Why an operation was not let in.

/// Why the bulkhead did not let an operation in.
///
/// It says that the work did not start: a durable job stays unclaimed, a caller of the API may come
/// back later.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum Refused {
    /// Every place is taken, and as many callers wait as may wait.
    #[error("every place is taken and the line of waiting operations is full")]
    Full,
    /// No place came free within the wait timeout.
    #[error("no place came free within the wait timeout")]
    TimedOut,
    /// The bulkhead was closed: the process is going down.
    #[error("the process is shutting down and takes no new operations")]
    Closed,
    /// The root that a nested call wanted to run in has ended.
    #[error("the operation that this call belongs to has ended")]
    RootEnded,
}

impl Refused {
    /// Whether asking this process again later may be answered differently.
    #[must_use]
    pub const fn is_transient(&self) -> bool {
        match self {
            Self::Full | Self::TimedOut => true,
            Self::Closed | Self::RootEnded => false,
        }
    }
}
