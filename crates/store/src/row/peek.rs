//! What a worker sees when it looks.

use koinon_domain::{Generation, JobId, QueueName, State};

use super::{Columns, Fields};
use crate::{Error, Peek, Signal};

/// What a worker sees when it looks; the ready queues and the signals, each a job, a generation and a state, stand in
/// documents.
///
/// # Errors
///
/// [`Error::Corrupt`].
pub fn peek<F: Fields>(row: &F) -> Result<Peek, Error> {
    let row = Columns::new(row, "a peek");
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
