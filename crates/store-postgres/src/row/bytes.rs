//! Stored bytes, in the row or in an artifact, and the checkpoints that are made of them.

use koinon_domain::{ItemKey, JobId};
use koinon_store::row::int;
use koinon_store::{Stored, StoredCheckpoint};

use super::each::each;
use super::instant::Instant;
use crate::tx::Query;

/// Adds the three columns of stored bytes: the bytes, the digest, the size.
pub(super) fn bind_stored<'q, R>(
    query: Query<'q>,
    rows: &'q [R],
    of: impl Fn(&'q R) -> Option<&'q Stored>,
) -> Query<'q> {
    let query = each(query, rows, |row| match of(row) {
        Some(Stored::Inline(bytes)) => Some(bytes.as_slice()),
        Some(Stored::Blob { .. }) | None => None,
    });
    let query = each(query, rows, |row| match of(row) {
        Some(Stored::Blob { digest, .. }) => Some(digest.as_bytes().as_slice()),
        Some(Stored::Inline(_)) | None => None,
    });
    each(query, rows, |row| match of(row) {
        Some(Stored::Blob { size_bytes, .. }) => Some(int(*size_bytes)),
        Some(Stored::Inline(_)) | None => None,
    })
}

/// A new checkpoint, and whose it is.
pub(crate) type NewCheckpoint = (JobId, StoredCheckpoint);

/// Adds the columns of new checkpoints.
pub(crate) fn bind_checkpoints<'q>(query: Query<'q>, rows: &'q [NewCheckpoint]) -> Query<'q> {
    let query = each(query, rows, |(job, _)| job.as_uuid());
    let query = each(query, rows, |(_, one)| one.key.stage.as_str());
    let query = each(query, rows, |(_, one)| i64::from(one.key.version));
    let query = each(query, rows, |(_, one)| {
        one.key.item.as_ref().map(ItemKey::as_str).unwrap_or_default()
    });
    let query = each(query, rows, |(_, one)| one.key.input.as_bytes().as_slice());
    let query = each(query, rows, |(_, one)| one.generation.get());
    let query = each(query, rows, |(_, one)| Instant(one.at));
    bind_stored(query, rows, |(_, one)| Some(&one.result))
}
