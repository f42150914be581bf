//! A claim whose job cannot be read.

use koinon_store::{Claimed, Error, decide};

use super::locked;
use super::save::Batch;
use crate::error::Failure;
use crate::store::Shared;
use crate::tx::{Tx, in_each, in_tx};

/// Gives the claim back and sets the job aside, unless it is somebody else's by now.
pub(crate) async fn give_back(shared: &Shared, claimed: &Claimed, why: &str) -> Result<(), Error> {
    Ok(in_tx!(shared, &shared.pool, tx => apply(&mut tx, claimed, why))?)
}

async fn apply(tx: &mut Tx<'_>, claimed: &Claimed, why: &str) -> Result<(), Failure> {
    let run = locked::standing(tx, claimed.job).await?;
    let is_held =
        |run: &koinon_store::Run| run.generation == claimed.generation && run.state.is_held();
    let Some(run) = run.filter(is_held) else { return Ok(()) };
    let mut batch = Batch::default();
    batch.add(run.clone(), decide::unreadable(run, why, tx.now())?);
    batch.save(tx).await
}

/// The same for a claim whose own row cannot be read.
pub(crate) async fn give_back_unread(
    shared: &Shared,
    claimed: &Claimed,
    why: &str,
) -> Result<(), Error> {
    Ok(in_each!(shared, &shared.pool, tx => apply_unread(&mut tx, claimed, why))?)
}

async fn apply_unread(tx: &mut Tx<'_>, claimed: &Claimed, why: &str) -> Result<(), Failure> {
    let give_back = sqlx::query(include_str!("../sql/give_back_unread.sql"))
        .bind(claimed.job.as_uuid())
        .bind(claimed.generation.get())
        .bind(tx.given())
        .bind(tx.latest())
        .bind(koinon_domain::clean(why, 500));
    tx.write(give_back).await
}
