//! The names of blobs that stand in rows.

use koinon_domain::{Digest, ItemKey, JobId, ScheduleId, StageName};
use koinon_store::{CheckpointKey, Error, NamesAfter, NamesPage, digests_in};
use uuid::Uuid;

use crate::SqliteStore;
use crate::row::Columns;
use crate::statement::query;
use crate::values::Row;

pub(crate) async fn blob_names(
    store: &SqliteStore,
    after: &NamesAfter,
    limit: u32,
) -> Result<NamesPage, Error> {
    let limit = i64::from(limit);
    let key = |id: Option<Uuid>| id.unwrap_or_else(Uuid::nil);
    let query = match after {
        NamesAfter::Schedules(after) => query(include_str!("../sql/names_in_schedules.sql"))
            .bind(key(after.map(ScheduleId::as_uuid))),
        NamesAfter::Jobs(after) => {
            query(include_str!("../sql/names_in_jobs.sql")).bind(key(after.map(JobId::as_uuid)))
        }
        NamesAfter::Outcomes(after) => {
            query(include_str!("../sql/names_in_outcomes.sql")).bind(key(after.map(JobId::as_uuid)))
        }
        NamesAfter::Checkpoints(after) => {
            let (job, key) = after
                .as_ref()
                .map_or((JobId::from_uuid(Uuid::nil()), None), |one| (one.0, Some(&one.1)));
            query(include_str!("../sql/names_in_checkpoints.sql"))
                .bind(job.as_uuid())
                .bind(key.map_or("", |key| key.stage.as_str()))
                .bind(key.map_or(0, |key| i64::from(key.version)))
                .bind(key.and_then(|key| key.item.as_ref()).map_or("", ItemKey::as_str))
                .bind(key.map_or([0; 32], |key| *key.input.as_bytes()).to_vec())
        }
        NamesAfter::Entries(after) => {
            query(include_str!("../sql/names_in_ledger.sql")).bind(*after)
        }
    };
    let rows = store.all(query.bind(limit)).await?;
    let mut names = Vec::new();
    for found in &rows {
        names_in(found, after, &mut names)?;
    }
    let is_full = i64::try_from(rows.len()).is_ok_and(|count| count >= limit);
    let next = match rows.last().filter(|_| is_full) {
        Some(last) => Some(behind(last, after)?),
        None => after.next_table(),
    };
    Ok(NamesPage { names, next })
}

/// Where the page begins that follows this row.
fn behind(row: &Row, after: &NamesAfter) -> Result<NamesAfter, Error> {
    let row = Columns::new(row, "a row that names blobs");
    Ok(match after {
        NamesAfter::Schedules(_) => {
            NamesAfter::Schedules(Some(ScheduleId::from_uuid(row.get("schedule_id")?)))
        }
        NamesAfter::Jobs(_) => NamesAfter::Jobs(Some(row.job()?)),
        NamesAfter::Outcomes(_) => NamesAfter::Outcomes(Some(row.job()?)),
        NamesAfter::Checkpoints(_) => {
            let item: &str = row.get("item")?;
            let key = CheckpointKey {
                stage: row.text("stage", StageName::try_new)?,
                version: row.number("version")?,
                item: if item.is_empty() {
                    None
                } else {
                    Some(row.text("item", ItemKey::try_new)?)
                },
                input: row.digest("input")?,
            };
            NamesAfter::Checkpoints(Some((row.job()?, key)))
        }
        NamesAfter::Entries(_) => NamesAfter::Entries(row.get("entry_no")?),
    })
}

fn names_in(
    found: &Row,
    after: &NamesAfter,
    names: &mut Vec<(Option<JobId>, Digest)>,
) -> Result<(), Error> {
    let row = Columns::new(found, "a row that names blobs");
    let (job, texts, digest): (_, &[&str], _) = match after {
        NamesAfter::Schedules(_) => (None, &["payload"], None),
        NamesAfter::Jobs(_) => (Some(row.job()?), &["payload"], None),
        NamesAfter::Outcomes(_) => {
            let manifest: Option<&str> = row.get("manifest")?;
            let job = row.job()?;
            let in_manifest = digests_in(manifest.unwrap_or_default().as_bytes());
            names.extend(in_manifest.map(|digest| (Some(job), digest)));
            (Some(job), &["summary"], None)
        }
        NamesAfter::Checkpoints(_) => (Some(row.job()?), &["result"], Some("result_digest")),
        NamesAfter::Entries(_) => (Some(row.job()?), &["answer"], Some("answer_digest")),
    };
    for column in texts {
        let bytes: Option<&[u8]> = row.get(column)?;
        names.extend(digests_in(bytes.unwrap_or_default()).map(|digest| (job, digest)));
    }
    if let Some(column) = digest
        && row.get::<Option<&[u8]>>(column)?.is_some()
    {
        names.push((job, row.digest(column)?));
    }
    Ok(())
}
