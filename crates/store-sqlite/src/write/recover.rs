//! What time alone changes.

use crate::values::Row;
use koinon_domain::{Event, EventName, EventSeq, JobId};
use koinon_store::decide::{self, Changes};
use koinon_store::{Error, RecoverRequest, Recovered, Run};

use super::locked;
use super::save::save;
use crate::error::Failure;
use crate::row::{self, Columns};
use crate::statement::{Query, query};
use crate::tx::Tx;

/// What a sweep looks for.
#[derive(Clone, Copy)]
enum Sweep {
    /// Waits that are over.
    Due,
    /// Leases that have expired.
    Expired,
}

/// Queues what is due and takes jobs from workers that are gone. What cannot be recovered is set aside
/// and stands in nobody's way.
pub(crate) fn recover(tx: &mut Tx<'_>, request: &RecoverRequest) -> Result<Recovered, Failure> {
    let mut recovered = Recovered::default();
    for sweep in [Sweep::Due, Sweep::Expired] {
        for found in tx.all(&sweep.query(tx, request.limit))? {
            let job = Columns::new(&found, "the run").job()?;
            if recover_one(tx, sweep, job, &found)? {
                sweep.list(&mut recovered).push(job);
            } else {
                recovered.set_aside.push(job);
            }
        }
    }
    Ok(recovered)
}

impl Sweep {
    fn query(self, tx: &Tx<'_>, limit: u32) -> Query<'static> {
        let text = match self {
            Self::Due => include_str!("../sql/recover_due.sql"),
            Self::Expired => include_str!("../sql/recover_expired.sql"),
        };
        query(text).bind(tx.now().as_micros()).bind(i64::from(limit))
    }

    const fn list(self, recovered: &mut Recovered) -> &mut Vec<JobId> {
        match self {
            Self::Due => &mut recovered.due,
            Self::Expired => &mut recovered.expired,
        }
    }
}

/// Recovers a job, or sets it aside and answers `false`.
fn recover_one(tx: &mut Tx<'_>, sweep: Sweep, job: JobId, found: &Row) -> Result<bool, Failure> {
    tx.write(&query(include_str!("../sql/savepoint.sql")))?;
    let failure = match decide_one(tx, sweep, found) {
        Ok((before, changes)) => {
            save(tx, before, changes);
            tx.write_now().err()
        }
        Err(failure) => Some(failure),
    };
    let is_recovered = failure.is_none();
    if let Some(failure) = failure {
        let error = Error::from(failure);
        if error.is_transient() {
            return Err(error.into());
        }
        tx.write(&query(include_str!("../sql/rollback_savepoint.sql")))?;
        tracing::warn!(%job, error = %chain(&error), "a job could not be recovered and is set aside");
        set_aside(tx, job, &chain(&error))?;
    }
    tx.write(&query(include_str!("../sql/release_savepoint.sql")))?;
    Ok(is_recovered)
}

/// The run as it was read, and what becomes of it.
fn decide_one(tx: &mut Tx<'_>, sweep: Sweep, found: &Row) -> Result<(Run, Changes), Failure> {
    let run = row::run(found)?;
    let before = run.clone();
    let changes = match sweep {
        Sweep::Due => decide::due(run, tx.now())?,
        Sweep::Expired => {
            let open = if run.open_holds == 0 {
                Vec::new()
            } else {
                locked::open_holds(tx, run.job, run.generation)?
            };
            decide::expired(run, &open, tx.now())?
        }
    };
    Ok((before, changes))
}

/// Sets a row aside that need not be readable, with the event that `decide::set_aside` would write.
pub(super) fn set_aside(tx: &mut Tx<'_>, job: JobId, why: &str) -> Result<(), Failure> {
    let now = tx.now();
    let update =
        query(include_str!("../sql/set_aside.sql")).bind(job.as_uuid()).bind(now.as_micros());
    let Some(found) = tx.write_returning(&update)? else { return Ok(()) };
    let row = Columns::new(&found, "the run");
    let event = Event {
        seq: EventSeq::new(row.get("event_seq")?),
        at: now,
        generation: row.generation("generation")?,
        name: EventName::SetAside,
        from: None,
        to: None,
        detail: [("reason".to_owned(), koinon_domain::clean(why, 500))].into(),
    };
    let insert = query(include_str!("../sql/insert_event.sql"));
    tx.write(&row::bind_event(insert, job, &event))
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
