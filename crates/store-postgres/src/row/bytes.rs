//! Stored bytes, in the row or in an artifact, and the checkpoints that are made of them.

use koinon_domain::{ItemKey, JobId, StageName};
use koinon_store::{CheckpointKey, Error, Stored, StoredCheckpoint};
use sqlx::postgres::PgRow;

use super::columns::Columns;
use super::each::each;
use super::instant::Instant;
use super::number::int;
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

pub(crate) fn checkpoint(row: &PgRow) -> Result<StoredCheckpoint, Error> {
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
