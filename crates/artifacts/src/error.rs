//! What can go wrong between a digest and its bytes.

use std::error::Error as StdError;
use std::io;

use koinon_domain::Digest;

/// The error below one of this crate's.
pub type Cause = Box<dyn StdError + Send + Sync>;

/// Why the artifact store did not do what it was asked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// No blob of this digest is stored.
    #[error("the artifact {digest} is not in the store")]
    Missing {
        /// The digest that was asked for.
        digest: Digest,
    },
    /// The blob of this name has other bytes than its name says.
    #[error("the artifact {digest} is damaged")]
    Damaged {
        /// The digest that was asked for.
        digest: Digest,
    },
    /// No space, or no quota, is left where the blobs are.
    #[error("writing an artifact: no space is left")]
    Full {
        /// What the store said.
        source: Cause,
    },
    /// Any other failure of the place where the blobs are.
    #[error("using the artifact store")]
    Unavailable {
        /// What the store said.
        source: Cause,
    },
    /// The address of the store cannot be used.
    #[error("opening the artifact store: {reason}")]
    BadUrl {
        /// A sentence that says what to write instead. It never repeats the address beyond its
        /// scheme and folder, since an address may hold credentials.
        reason: String,
    },
}

impl Error {
    /// Whether the same call may succeed later with nobody changing the request.
    #[must_use]
    pub const fn is_transient(&self) -> bool {
        match self {
            Self::Full { .. } | Self::Unavailable { .. } => true,
            Self::Missing { .. } | Self::Damaged { .. } | Self::BadUrl { .. } => false,
        }
    }

    /// The stable code of this error.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Missing { .. } => "artifact_missing",
            Self::Damaged { .. } => "artifact_damaged",
            Self::Full { .. } => "disk_full",
            Self::Unavailable { .. } => "store_unavailable",
            Self::BadUrl { .. } => "usage",
        }
    }

    /// The error for a failure of the place where the blobs are, whichever library told of it.
    pub(crate) fn of_store(source: impl Into<Cause>) -> Self {
        let source = source.into();
        if is_full(source.as_ref()) { Self::Full { source } } else { Self::Unavailable { source } }
    }
}

/// Whether an I/O error for want of space stands anywhere in the chain of sources. It is of no use
/// to look at the first error only: `object_store` wraps the operating system's twice.
fn is_full(error: &(dyn StdError + 'static)) -> bool {
    std::iter::successors(Some(error), |&error| error.source())
        .filter_map(|error| error.downcast_ref::<io::Error>())
        .any(|error| {
            matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn generic(source: impl Into<Cause>) -> object_store::Error {
        object_store::Error::Generic { store: "LocalFileSystem", source: source.into() }
    }

    fn wrapped(kind: io::ErrorKind) -> object_store::Error {
        generic(generic(io::Error::from(kind)))
    }

    #[test]
    fn want_of_space_is_found_below_other_errors() {
        for kind in [io::ErrorKind::StorageFull, io::ErrorKind::QuotaExceeded] {
            let error = Error::of_store(wrapped(kind));
            assert!(matches!(error, Error::Full { .. }), "{error:?}");
            assert_eq!((error.code(), error.is_transient()), ("disk_full", true));
        }
    }

    #[test]
    fn other_failures_are_unavailability() {
        let error = Error::of_store(wrapped(io::ErrorKind::PermissionDenied));
        assert!(matches!(error, Error::Unavailable { .. }), "{error:?}");
        assert_eq!((error.code(), error.is_transient()), ("store_unavailable", true));
    }
}
