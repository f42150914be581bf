//! Stored bytes, in the row or in an artifact, and the checkpoints that are made of them.

use koinon_domain::{ItemKey, JobId};
use koinon_store::row::int;
use koinon_store::{Stored, StoredCheckpoint};

use crate::statement::Query;

/// Adds the three arguments of stored bytes: the bytes, the digest, the size.
pub(super) fn bind_stored<'a>(query: Query<'a>, stored: Option<&'a Stored>) -> Query<'a> {
    let (inline, digest, size) = match stored {
        None => (None, None, None),
        Some(Stored::Inline(bytes)) => (Some(bytes.as_slice()), None, None),
        Some(Stored::Blob { digest, size_bytes }) => {
            (None, Some(digest.as_bytes().as_slice()), Some(int(*size_bytes)))
        }
    };
    query.bind(inline).bind(digest).bind(size)
}

/// Adds the arguments of a new checkpoint of a job.
pub(crate) fn bind_checkpoint<'a>(
    query: Query<'a>,
    job: JobId,
    checkpoint: &'a StoredCheckpoint,
) -> Query<'a> {
    let key = &checkpoint.key;
    let query = query
        .bind(job.as_uuid())
        .bind(key.stage.as_str())
        .bind(i64::from(key.version))
        .bind(key.item.as_ref().map_or("", ItemKey::as_str))
        .bind(key.input.as_bytes().as_slice())
        .bind(checkpoint.generation.get())
        .bind(checkpoint.at.as_micros());
    bind_stored(query, Some(&checkpoint.result))
}
