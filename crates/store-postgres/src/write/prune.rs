//! What has ended goes after a while.

use std::time::Duration;

use koinon_store::{Error, Old, Pruned};
use uuid::Uuid;

use crate::error::Failure;
use crate::row::{Columns, micros};
use crate::store::Shared;
use crate::tx::{Tx, in_each, in_tx};

/// Takes old jobs away, with everything of theirs but the amounts of the ledger.
pub(crate) async fn prune_jobs(shared: &Shared, old: &Old, limit: u32) -> Result<Pruned, Error> {
    Ok(in_tx!(shared, &shared.pool, tx => prune(&mut tx, old, limit))?)
}

async fn prune(tx: &mut Tx<'_>, old: &Old, limit: u32) -> Result<Pruned, Failure> {
    let lock = sqlx::query(include_str!("../sql/lock_old_jobs.sql"))
        .bind(old.queue.as_str())
        .bind(old.state.as_str())
        .bind(micros(old.kept_for))
        .bind(tx.given())
        .bind(i64::from(limit));
    let rows = tx.timed(lock).await?;
    let jobs = rows.iter().map(|found| Ok(Columns::new(found, "an outcome").job()?.as_uuid()));
    let jobs = jobs.collect::<Result<Vec<Uuid>, Error>>()?;
    if jobs.is_empty() {
        return Ok(Pruned::default());
    }
    let prune = sqlx::query(include_str!("../sql/prune_jobs.sql")).bind(&jobs).bind(tx.now_at());
    let found = tx.write_returning(prune).await?;
    tx.write(sqlx::query(include_str!("../sql/clear_answers.sql")).bind(&jobs)).await?;
    let missing = || Error::Corrupt { what: "pruning answered nothing".to_owned() };
    let found = found.ok_or_else(missing)?;
    let row = Columns::new(&found, "what was pruned");
    Ok(Pruned {
        jobs: row.number("jobs")?,
        events: row.number("events")?,
        checkpoints: row.number("checkpoints")?,
    })
}

/// Whether it is the caller's turn.
pub(crate) async fn take_turn(
    shared: &Shared,
    name: &'static str,
    every: Duration,
) -> Result<bool, Error> {
    Ok(in_each!(shared, &shared.pool, tx => take(&mut tx, name, every))?)
}

async fn take(tx: &mut Tx<'_>, name: &'static str, every: Duration) -> Result<bool, Failure> {
    let take = sqlx::query(include_str!("../sql/take_turn.sql"))
        .bind(name)
        .bind(micros(every))
        .bind(tx.given());
    Ok(tx.write_returning(take).await?.is_some())
}
