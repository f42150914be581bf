//! Stored bytes, in the row or in an artifact, and the checkpoints that are made of them.

use koinon_domain::{ItemKey, StageName};

use super::{Columns, Fields};
use crate::{CheckpointKey, Error, Stored, StoredCheckpoint};

/// The names of the three columns of stored bytes.
pub(super) struct StoredColumns {
    pub(super) bytes: &'static str,
    pub(super) digest: &'static str,
    pub(super) size_bytes: &'static str,
}

pub(super) fn stored<F: Fields>(
    row: &Columns<'_, F>,
    at: &StoredColumns,
) -> Result<Option<Stored>, Error> {
    if let Some(bytes) = row.get::<Option<Vec<u8>>>(at.bytes)? {
        return Ok(Some(Stored::Inline(bytes)));
    }
    let Some(size_bytes) = row.some_number(at.size_bytes)? else { return Ok(None) };
    Ok(Some(Stored::Blob { digest: row.digest(at.digest)?, size_bytes }))
}

/// A stored result.
///
/// # Errors
///
/// [`Error::Corrupt`].
pub fn checkpoint<F: Fields>(row: &F) -> Result<StoredCheckpoint, Error> {
    let row = Columns::new(row, "a checkpoint");
    let at =
        StoredColumns { bytes: "result", digest: "result_digest", size_bytes: "result_size_bytes" };
    Ok(StoredCheckpoint {
        key: key(&row)?,
        result: stored(&row, &at)?.ok_or_else(|| row.corrupt("result", "missing"))?,
        generation: row.generation("generation")?,
        at: row.instant("at")?,
    })
}

/// The key of a checkpoint. One that is about no item has an empty one.
pub(super) fn key<F: Fields>(row: &Columns<'_, F>) -> Result<CheckpointKey, Error> {
    let item = row.get::<&str>("item")?;
    let item = if item.is_empty() { None } else { Some(row.text("item", ItemKey::try_new)?) };
    Ok(CheckpointKey {
        stage: row.text("stage", StageName::try_new)?,
        version: row.number("version")?,
        item,
        input: row.digest("input")?,
    })
}
