//! What time alone changes.

use koinon_domain::{Event, EventName, EventSeq, JobId};
use koinon_store::decide::{self, Changes};
use koinon_store::{Error, Hold, RecoverRequest, Recovered, Run};

use super::locked;
use super::save::Batch;
use crate::error::Failure;
use crate::row::{self, Columns};
use crate::store::Shared;
use crate::tx::{Tx, in_tx};

/// What a sweep looks for.
#[derive(Clone, Copy)]
enum Sweep {
    /// Waits that are over.
    Due,
    /// Leases that have expired.
    Expired,
}

/// How the rows of a sweep are written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pace {
    /// All by the same statements.
    Together,
    /// Each behind a savepoint, because one of them spoilt the others.
    OneByOne,
}

/// Queues what is due and takes jobs from workers that are gone. What cannot be recovered is set aside
/// and stands in nobody's way.
pub(crate) async fn recover(shared: &Shared, request: &RecoverRequest) -> Result<Recovered, Error> {
    let mut recovered = Recovered::default();
    for sweep in [Sweep::Due, Sweep::Expired] {
        let mut found = sweep_once(shared, sweep, Pace::Together, request.limit).await;
        if found.as_ref().is_err_and(|failure| !failure.is_of_all()) {
            found = sweep_once(shared, sweep, Pace::OneByOne, request.limit).await;
        }
        let (jobs, set_aside) = found?;
        if !jobs.is_empty() {
            // What waited for a retry is ready since its wait was over.
            shared.bounds.forget();
        }
        sweep.list(&mut recovered).extend(jobs);
        recovered.set_aside.extend(set_aside);
    }
    Ok(recovered)
}

/// Jobs that were recovered, and jobs that were set aside.
type Swept = (Vec<JobId>, Vec<JobId>);

async fn sweep_once(
    shared: &Shared,
    sweep: Sweep,
    pace: Pace,
    limit: u32,
) -> Result<Swept, Failure> {
    in_tx!(shared, &shared.pool, tx => sweep_in(&mut tx, sweep, pace, limit))
}

async fn sweep_in(tx: &mut Tx<'_>, sweep: Sweep, pace: Pace, limit: u32) -> Result<Swept, Failure> {
    let query = sqlx::query(sweep.text()).bind(tx.given()).bind(i64::from(limit));
    let rows = tx.timed(query).await?;
    let mut runs = Vec::with_capacity(rows.len());
    for found in &rows {
        runs.push((Columns::new(found, "the run").job()?, row::run(found)));
    }
    let holding = runs.iter().filter_map(|(job, run)| {
        let run = run.as_ref().ok().filter(|run| run.open_holds > 0)?;
        Some((*job, run.generation))
    });
    let mut open = locked::open_holds(tx, holding.collect()).await?;
    let (mut recovered, mut set_aside_jobs, mut batch) = (Vec::new(), Vec::new(), Batch::default());
    for (job, run) in runs {
        let open = open.remove(&job).unwrap_or_else(|| Ok(Vec::new()));
        let decided = run.and_then(|run| Ok((run.clone(), sweep.decide(run, &open?, tx)?)));
        let written = match (decided, pace) {
            (Ok((before, changes)), Pace::Together) => {
                batch.add(before, changes);
                Ok(())
            }
            (Ok((before, changes)), Pace::OneByOne) => write_one(tx, before, changes).await?,
            (Err(error), _) => Err(error),
        };
        match written {
            Ok(()) => recovered.push(job),
            Err(error) => {
                let why = chain(&error);
                tracing::warn!(%job, error = %why, "a job could not be recovered and is set aside");
                set_aside(tx, job, &why).await?;
                set_aside_jobs.push(job);
            }
        }
    }
    batch.save(tx).await?;
    Ok((recovered, set_aside_jobs))
}

impl Sweep {
    const fn text(self) -> &'static str {
        match self {
            Self::Due => include_str!("../sql/recover_due.sql"),
            Self::Expired => include_str!("../sql/recover_expired.sql"),
        }
    }

    const fn list(self, recovered: &mut Recovered) -> &mut Vec<JobId> {
        match self {
            Self::Due => &mut recovered.due,
            Self::Expired => &mut recovered.expired,
        }
    }

    fn decide(self, run: Run, open: &[Hold], tx: &Tx<'_>) -> Result<Changes, Error> {
        match self {
            Self::Due => Ok(decide::due(run, tx.now())?),
            Self::Expired => decide::expired(run, open, tx.now()),
        }
    }
}

/// Writes one row of a sweep; what is wrong with it alone is the inner error.
async fn write_one(
    tx: &mut Tx<'_>,
    before: Run,
    changes: Changes,
) -> Result<Result<(), Error>, Failure> {
    tx.steer(include_str!("../sql/savepoint.sql")).await?;
    let mut batch = Batch::default();
    batch.add(before, changes);
    let written = match batch.save(tx).await {
        Ok(()) => Ok(()),
        Err(failure) if failure.is_of_all() => return Err(failure),
        Err(failure) => {
            tx.steer(include_str!("../sql/rollback_savepoint.sql")).await?;
            Err(failure.into())
        }
    };
    tx.steer(include_str!("../sql/release_savepoint.sql")).await?;
    Ok(written)
}

/// Sets a row aside that need not be readable, with the event that `decide::set_aside` would write.
pub(super) async fn set_aside(tx: &mut Tx<'_>, job: JobId, why: &str) -> Result<(), Failure> {
    let update =
        sqlx::query(include_str!("../sql/set_aside.sql")).bind(job.as_uuid()).bind(tx.now_at());
    let Some(found) = tx.write_returning(update).await? else { return Ok(()) };
    let row = Columns::new(&found, "the run");
    let event = Event {
        seq: EventSeq::new(row.get("event_seq")?),
        at: tx.now(),
        generation: row.generation("generation")?,
        name: EventName::SetAside,
        from: None,
        to: None,
        detail: [("reason".to_owned(), koinon_domain::clean(why, 500))].into(),
    };
    let insert = sqlx::query(include_str!("../sql/insert_event.sql"));
    tx.write(row::bind_events(insert, &[(job, event)])).await
}

/// An error with everything that caused it.
fn chain(error: &Error) -> String {
    let mut text = error.to_string();
    let mut next = std::error::Error::source(error);
    while let Some(source) = next {
        text = format!("{text}: {source}");
        next = source.source();
    }
    text
}
