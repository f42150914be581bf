//! A claimed job.

use koinon_store::{Claim, Claimed, Error};

use crate::{PostgresStore, row};

pub(crate) async fn load(store: &PostgresStore, claimed: &Claimed) -> Result<Option<Claim>, Error> {
    let query = sqlx::query(include_str!("../sql/load.sql"))
        .bind(claimed.job.as_uuid())
        .bind(claimed.generation.get());
    let found = store.first(query).await?;
    let claim = found.map(|found| Ok(Claim { spec: row::spec(&found)?, run: row::run(&found)? }));
    claim.transpose()
}
