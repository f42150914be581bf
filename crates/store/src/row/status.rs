//! Jobs with how they stand: rows that join `jobs` with `runs` or `standings`.

use std::collections::HashMap;

use super::{Columns, Fields, run, spec};
use crate::{Claim, Claimed, Error, JobStatus, Listed, Loaded};

/// A job.
///
/// # Errors
///
/// [`Error::Corrupt`].
pub fn status<F: Fields>(row: &F) -> Result<JobStatus, Error> {
    Ok(JobStatus { spec: spec(row)?, run: run(row)? })
}

/// A job of a page; one that cannot be read is told as that.
///
/// # Errors
///
/// [`Error::Corrupt`] if not even its place in the page can be read.
pub fn listed<F: Fields>(row: &F) -> Result<Listed, Error> {
    match status(row) {
        Ok(job) => Ok(Listed::Job(Box::new(job))),
        Err(Error::Corrupt { what }) => {
            let row = Columns::new(row, "a job");
            let (id, submitted_at) = (row.job()?, row.instant("submitted_at")?);
            Ok(Listed::Unreadable { id, submitted_at, what })
        }
        Err(error) => Err(error),
    }
}

/// What some claims are about, in their order. A job that has been claimed again since is nobody's here.
///
/// # Errors
///
/// [`Error::Corrupt`] if it cannot be read which job a row is about.
pub fn loaded<F: Fields>(claimed: &[Claimed], rows: &[F]) -> Result<Vec<Loaded>, Error> {
    let mut found = HashMap::with_capacity(rows.len());
    for row in rows {
        found.insert(Columns::new(row, "the run").job()?, row);
    }
    let one = |one: &Claimed| found.get(&one.job).map_or(Ok(None), |row| claim(one, *row));
    Ok(claimed.iter().map(one).collect())
}

fn claim<F: Fields>(claimed: &Claimed, row: &F) -> Loaded {
    if Columns::new(row, "the run").generation("generation")? != claimed.generation {
        return Ok(None);
    }
    Ok(Some(Claim { spec: spec(row)?, run: run(row)? }))
}
