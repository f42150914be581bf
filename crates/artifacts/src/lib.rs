//! Content-addressed artifacts over `object_store`: bytes under the name of their SHA-256 digest.
//!
//! **Blob before manifest.** [`Artifacts::put`] returns only when the blob is complete and durable
//! under its final name, so that whoever commits a row after it never names a blob that is not
//! there. A crash leaves at most a blob that no row names, which the retention sweep removes.
//!
//! A blob lies at `sha256/<first two digits>/<the other 62 digits>`. In a folder it is written to
//! `<name>#<number>` beside its place, synced, renamed, and its folder synced. What an interrupted
//! put leaves is such a `#` file: it is never read, listed or counted as a blob, and
//! [`Artifacts::remove_unfinished`] removes it.
//!
//! A folder may be shared by the processes of one host.

mod artifacts;
mod databases;
mod error;
mod folder;
mod place;
mod sweep;

pub use artifacts::Artifacts;
pub use error::{Cause, Error};
pub use sweep::{Blob, Removal};

#[cfg(test)]
mod tests;
