//! Whether there is anything to do.

use koinon_domain::{Generation, JobId, QueueName, State};
use koinon_store::{Error, Peek, PeekRequest, Signal};

use crate::SqliteStore;
use crate::row::{self, Columns};
use crate::statement::query;

pub(crate) async fn peek(store: &SqliteStore, request: &PeekRequest) -> Result<Peek, Error> {
    let query = query(include_str!("../sql/peek.sql"))
        .bind(row::texts(request.queues.iter().map(QueueName::as_str)))
        .bind(request.owner.as_uuid())
        .bind(store.now().as_micros());
    let found = store.first(query).await?;
    let found = found.ok_or_else(|| Error::Corrupt { what: "the clock has no row".into() })?;
    let row = Columns::new(&found, "a peek");
    let queues: Vec<String> = row.document("ready")?;
    let ready: Result<Vec<_>, _> = queues.into_iter().map(QueueName::try_new).collect();
    let signals: Vec<(String, i64, String)> = row.document("signals")?;
    let signals: Result<Vec<_>, String> = signals.into_iter().map(signal).collect();
    Ok(Peek {
        ready: row.made("ready", ready)?,
        due: row.get("due")?,
        expired: row.get("expired")?,
        tick_due: row.get("tick_due")?,
        signals: row.made("signals", signals)?,
        next_due_at: row.some_instant("next_due_at")?,
        next_expiry_at: row.some_instant("next_expiry_at")?,
        next_tick_at: row.some_instant("next_tick_at")?,
        now: row.instant("now_at")?,
    })
}

fn signal(
    (job, generation, state): (String, i64, String),
) -> Result<(JobId, Generation, Signal), String> {
    let job: JobId = job.parse().map_err(|error| format!("{error}"))?;
    let signal = match state.parse::<State>() {
        Ok(State::Pausing) => Signal::Pause,
        Ok(State::Cancelling) => Signal::Cancel,
        Ok(other) => return Err(format!("a job that is {other} asks nothing of its worker")),
        Err(error) => return Err(error.to_string()),
    };
    Ok((job, Generation::new(generation), signal))
}
