//! Claimed jobs.

use koinon_store::{Claimed, Error, Loaded};

use crate::{PostgresStore, row};

pub(crate) async fn load(store: &PostgresStore, claimed: &[Claimed]) -> Result<Vec<Loaded>, Error> {
    let jobs: Vec<_> = claimed.iter().map(|one| one.job.as_uuid()).collect();
    let query = sqlx::query(include_str!("../sql/load.sql")).bind(jobs);
    row::loaded(claimed, &store.all(query).await?)
}
