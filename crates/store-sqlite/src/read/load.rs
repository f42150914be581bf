//! Claimed jobs.

use koinon_store::{Claimed, Error, Loaded};

use crate::statement::query;
use crate::{SqliteStore, row};

pub(crate) async fn load(store: &SqliteStore, claimed: &[Claimed]) -> Result<Vec<Loaded>, Error> {
    let jobs = row::ids(claimed.iter().map(|one| one.job.as_uuid()));
    let query = query(include_str!("../sql/load.sql")).bind(jobs);
    row::loaded(claimed, &store.all(query).await?)
}
