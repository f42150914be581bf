//! Stored bytes, in the row or in an artifact, and the checkpoints that are made of them.

use koinon_domain::{ItemKey, JobId};
use koinon_store::row::int;
use koinon_store::{Stored, StoredCheckpoint};

use crate::statement::Query;

/// Adds the three arguments of stored bytes: the bytes, the digest, the size.
pub(super) fn bind_stored(query: Query, stored: Option<&Stored>) -> Query {
    let (inline, digest, size) = match stored {
        None => (None, None, None),
        Some(Stored::Inline(bytes)) => (Some(bytes.clone()), None, None),
        Some(Stored::Blob { digest, size_bytes }) => {
            (None, Some(digest.as_bytes().to_vec()), Some(int(*size_bytes)))
        }
    };
    query.bind(inline).bind(digest).bind(size)
}

/// Adds the arguments of a new checkpoint of a job.
pub(crate) fn bind_checkpoint(query: Query, job: JobId, checkpoint: &StoredCheckpoint) -> Query {
    let key = &checkpoint.key;
    let query = query
        .bind(job.as_uuid())
        .bind(key.stage.to_string())
        .bind(i64::from(key.version))
        .bind(key.item.as_ref().map(ItemKey::to_string).unwrap_or_default())
        .bind(key.input.as_bytes().to_vec())
        .bind(checkpoint.generation.get())
        .bind(checkpoint.at.as_micros());
    bind_stored(query, Some(&checkpoint.result))
}
