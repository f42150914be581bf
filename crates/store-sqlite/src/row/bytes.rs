//! Stored bytes, in the row or in an artifact, and the checkpoints that are made of them.

use crate::values::Row;
use koinon_domain::JobId;
use koinon_domain::{ItemKey, StageName};
use koinon_store::{CheckpointKey, Error, Stored, StoredCheckpoint};

use super::columns::Columns;
use super::number::int;
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

/// The names of the three columns of stored bytes.
pub(super) struct StoredColumns {
    pub(super) bytes: &'static str,
    pub(super) digest: &'static str,
    pub(super) size_bytes: &'static str,
}

pub(super) fn stored(row: &Columns<'_>, at: &StoredColumns) -> Result<Option<Stored>, Error> {
    if let Some(bytes) = row.get::<Option<Vec<u8>>>(at.bytes)? {
        return Ok(Some(Stored::Inline(bytes)));
    }
    let Some(size_bytes) = row.some_number(at.size_bytes)? else { return Ok(None) };
    Ok(Some(Stored::Blob { digest: row.digest(at.digest)?, size_bytes }))
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

pub(crate) fn checkpoint(row: &Row) -> Result<StoredCheckpoint, Error> {
    let row = Columns::new(row, "a checkpoint");
    let item: &str = row.get("item")?;
    let item = if item.is_empty() { None } else { Some(row.text("item", ItemKey::try_new)?) };
    let at =
        StoredColumns { bytes: "result", digest: "result_digest", size_bytes: "result_size_bytes" };
    Ok(StoredCheckpoint {
        key: CheckpointKey {
            stage: row.text("stage", StageName::try_new)?,
            version: row.number("version")?,
            item,
            input: row.digest("input")?,
        },
        result: stored(&row, &at)?.ok_or_else(|| row.corrupt("result", "missing"))?,
        generation: row.generation("generation")?,
        at: row.instant("at")?,
    })
}
