//! A worker says that it is still there.

use std::collections::HashMap;

use koinon_domain::{Generation, JobId, Timestamp};
use koinon_store::{Beat, Error, HeartbeatRequest, decide};

use super::save::Batch;
use crate::error::Failure;
use crate::row::{self, Columns, Found};
use crate::store::Shared;
use crate::tx::{Tx, in_tx};

/// Renews every lease of the worker that it wants to keep, and answers for each job: first those that it
/// names, then those that it holds without knowing.
pub(crate) async fn heartbeat(
    shared: &Shared,
    request: &HeartbeatRequest,
) -> Result<Vec<(JobId, Generation, Beat)>, Error> {
    let beats = in_tx!(shared, &shared.reserved, tx => beat(&mut tx, request))?;
    shared.memory.forget(beats.iter().map(|(job, ..)| job));
    Ok(beats)
}

async fn beat(
    tx: &mut Tx<'_>,
    request: &HeartbeatRequest,
) -> Result<Vec<(JobId, Generation, Beat)>, Failure> {
    let query = sqlx::query(include_str!("../sql/heartbeat.sql"))
        .bind(request.owner.as_uuid())
        .bind(tx.given());
    let rows = tx.timed(query).await?;
    let mut batch = Batch::default();
    let mut owned = HashMap::with_capacity(rows.len());
    for found in &rows {
        let row = Columns::new(found, "the run");
        owned.insert(row.job()?, (row.generation("generation")?, found));
    }
    let mut beats = Vec::with_capacity(rows.len());
    for (job, generation) in &request.held {
        let beat = match owned.get(job) {
            Some((present, found)) if present == generation => {
                let beat = renew(found, *generation, request, tx.now(), &mut batch);
                owned.remove(job);
                beat
            }
            Some(_) | None => Beat::Lost,
        };
        beats.push((*job, *generation, beat));
    }
    for (job, generation) in &request.abandoned {
        if owned.get(job).is_some_and(|(present, _)| present == generation) {
            owned.remove(job);
        } else {
            beats.push((*job, *generation, Beat::Lost));
        }
    }
    let mut unknown: Vec<_> =
        owned.into_iter().map(|(job, (generation, _))| (job, generation)).collect();
    unknown.sort_unstable();
    beats.extend(unknown.into_iter().map(|(job, generation)| (job, generation, Beat::Unknown)));
    batch.save(tx).await?;
    Ok(beats)
}

/// A row that cannot be read is not renewed: its worker stops, and recovery sets it aside.
fn renew(
    found: &Found,
    generation: Generation,
    request: &HeartbeatRequest,
    now: Timestamp,
    batch: &mut Batch,
) -> Beat {
    let run = match row::run(found) {
        Ok(run) => run,
        Err(error) => {
            tracing::warn!(%error, "a held job cannot be read");
            return Beat::Lost;
        }
    };
    let before = run.clone();
    let (changes, beat) = decide::heartbeat(run, request.owner, generation, request.lease_for, now);
    if let Some(changes) = changes {
        batch.add(before, *changes);
    }
    beat
}
