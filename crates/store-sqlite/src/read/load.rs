//! Claimed jobs.

use std::collections::HashMap;

use crate::values::Row;
use koinon_store::{Claim, Claimed, Error, Loaded};

use crate::SqliteStore;
use crate::row::{self, Columns};
use crate::statement::query;

pub(crate) async fn load(store: &SqliteStore, claimed: &[Claimed]) -> Result<Vec<Loaded>, Error> {
    let jobs = row::ids(claimed.iter().map(|one| one.job.as_uuid()));
    let query = query(include_str!("../sql/load.sql")).bind(jobs);
    let rows = store.all(query).await?;
    let mut found = HashMap::with_capacity(rows.len());
    for row in &rows {
        found.insert(Columns::new(row, "the run").job()?, row);
    }
    Ok(claimed
        .iter()
        .map(|one| found.get(&one.job).map_or(Ok(None), |row| claim(one, row)))
        .collect())
}

/// The claim, unless the job has been claimed again since.
fn claim(claimed: &Claimed, found: &Row) -> Loaded {
    if Columns::new(found, "the run").generation("generation")? != claimed.generation {
        return Ok(None);
    }
    Ok(Some(Claim { spec: row::spec(found)?, run: row::run(found)? }))
}
