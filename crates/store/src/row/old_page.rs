//! Jobs that ended so long ago that they may go.

use super::{Columns, Fields};
use crate::{Error, OldPage, Pruned};

/// A page of at most `limit` jobs that may go, each with how much goes along.
///
/// # Errors
///
/// [`Error::Corrupt`].
pub fn old_page<F: Fields>(rows: &[F], limit: u32) -> Result<OldPage, Error> {
    let mut page = OldPage::default();
    for found in rows {
        let row = Columns::new(found, "an outcome");
        let one = Pruned {
            jobs: 1,
            events: row.number("events")?,
            checkpoints: row.number("checkpoints")?,
        };
        page.pruned = page.pruned.plus(one);
        page.jobs.push(row.job()?);
        page.next = Some((row.instant("ended_at")?, row.job()?));
    }
    if rows.len() < usize::try_from(limit).unwrap_or(usize::MAX) {
        page.next = None;
    }
    Ok(page)
}
