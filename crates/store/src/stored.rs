//! Bytes that belong to a row: in the row while they are small, else in an artifact.

use koinon_domain::Digest;

/// The most bytes that stand in a row; larger ones are artifacts.
pub const INLINE_MAX_BYTES: usize = 8 * 1024;

/// Where a row's bytes are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stored {
    /// In the row.
    Inline(Vec<u8>),
    /// In the artifact of this name, which was complete before the row was written.
    Blob {
        /// Its name.
        digest: Digest,
        /// Its size.
        size_bytes: u64,
    },
}
