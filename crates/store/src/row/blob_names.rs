//! The names of blobs that stand in rows.

use koinon_domain::{Digest, JobId, ScheduleId};

use super::checkpoint::key;
use super::{Columns, Fields};
use crate::{Error, NamesAfter, NamesPage, digests_in};

/// A page of at most `limit` rows of the table that `after` is about.
///
/// # Errors
///
/// [`Error::Corrupt`].
pub fn names_page<F: Fields>(
    rows: &[F],
    after: &NamesAfter,
    limit: u32,
) -> Result<NamesPage, Error> {
    let mut names = Vec::new();
    for found in rows {
        names_in(found, after, &mut names)?;
    }
    let is_full = usize::try_from(limit).is_ok_and(|limit| rows.len() >= limit);
    let next = match rows.last().filter(|_| is_full) {
        Some(last) => Some(behind(last, after)?),
        None => after.next_table(),
    };
    Ok(NamesPage { names, next })
}

/// Where the page begins that follows this row.
fn behind<F: Fields>(row: &F, after: &NamesAfter) -> Result<NamesAfter, Error> {
    let row = Columns::new(row, "a row that names blobs");
    Ok(match after {
        NamesAfter::Schedules(_) => {
            NamesAfter::Schedules(Some(ScheduleId::from_uuid(row.get("schedule_id")?)))
        }
        NamesAfter::Jobs(_) => NamesAfter::Jobs(Some(row.job()?)),
        NamesAfter::Outcomes(_) => NamesAfter::Outcomes(Some(row.job()?)),
        NamesAfter::Checkpoints(_) => NamesAfter::Checkpoints(Some((row.job()?, key(&row)?))),
        NamesAfter::Entries(_) => NamesAfter::Entries(row.get("entry_no")?),
    })
}

fn names_in<F: Fields>(
    found: &F,
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
