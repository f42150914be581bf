//! The floor: bare SQLite with one writer, which commits what waits together.
//!
//! It is `rusqlite` of the version that links the same SQLite as the store does.

use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use anyhow::{Context as _, ensure};
use koinon::store::{Clock as _, SystemClock};
use rusqlite::{CachedStatement, Connection, params};

use crate::engine::size::Size;
use crate::engine::subject;

/// So many jobs a second the floor does not do, so that its queue is never empty.
const FASTEST_PER_S: u64 = 60_000;

/// So many requests are committed together at the most.
const GROUP_MAX: usize = 100;

/// What a caller wants to be written, and where the answer goes.
struct Request {
    what: What,
    answer: Sender<Option<Claimed>>,
}

enum What {
    Claim,
    Checkpoint(Claimed, i64),
    Finish(Claimed),
}

#[derive(Debug, Clone, Copy)]
struct Claimed {
    job: i64,
    generation: i64,
}

/// How many jobs of three checkpointed stages so many callers finish in a second.
pub(super) fn measure(file: &Path, callers: u32, size: Size) -> anyhow::Result<f64> {
    let mut connection = open(file)?;
    let jobs = FASTEST_PER_S * size.slice().as_secs();
    let fill = include_str!("../../../sql/sqlite/floor_fill.sql");
    connection.execute(fill, [i64::try_from(jobs)?])?;
    let clock = SystemClock::new();
    let began = clock.monotonic();
    let (requests, waiting) = channel();
    std::thread::scope(|scope| {
        let writer = scope.spawn(move || write(&mut connection, &waiting));
        let running: Vec<_> = (0..callers)
            .map(|_| {
                let (requests, clock) = (requests.clone(), clock.clone());
                scope.spawn(move || call(&requests, &clock, began + size.slice()))
            })
            .collect();
        drop(requests);
        let mut done = 0;
        for caller in running {
            done += caller.join().map_err(|_| anyhow::anyhow!("a caller panicked"))??;
        }
        let took = clock.monotonic() - began;
        writer.join().map_err(|_| anyhow::anyhow!("the writer panicked"))??;
        Ok(subject::per_s(done, took))
    })
}

fn open(file: &Path) -> anyhow::Result<Connection> {
    let connection = Connection::open(file)?;
    connection.pragma_update(None, "journal_mode", "wal")?;
    connection.pragma_update(None, "synchronous", "full")?;
    let synchronous: i64 = connection.pragma_query_value(None, "synchronous", |row| row.get(0))?;
    ensure!(synchronous == 2, "SQLite did not take synchronous = FULL");
    connection.execute_batch(include_str!("../../../sql/sqlite/floor_schema.sql"))?;
    Ok(connection)
}

/// One caller: job after job until the time is over. Answers how many it finished.
fn call(requests: &Sender<Request>, clock: &SystemClock, until: Duration) -> anyhow::Result<u64> {
    let ask = |what| {
        let (answer, answered) = channel();
        requests.send(Request { what, answer }).ok().context("the writer has ended")?;
        answered.recv().context("the writer has ended")
    };
    let mut done = 0;
    while clock.monotonic() < until {
        let claimed = ask(What::Claim)?.context("the queue of the floor is empty")?;
        for stage in 1..=3 {
            ask(What::Checkpoint(claimed, stage))?.context("a claim was lost")?;
        }
        ask(What::Finish(claimed))?.context("a claim was lost")?;
        done += 1;
    }
    Ok(done)
}

/// The writer: everything that waits is one transaction. Ends when there is no caller any more.
fn write(connection: &mut Connection, waiting: &Receiver<Request>) -> anyhow::Result<()> {
    while let Ok(first) = waiting.recv() {
        let mut group = vec![first];
        group.extend(waiting.try_iter().take(GROUP_MAX - 1));
        connection.prepare_cached("BEGIN IMMEDIATE")?.execute([])?;
        let mut answers = Vec::with_capacity(group.len());
        for request in &group {
            answers.push(apply(connection, &request.what)?);
        }
        connection.prepare_cached("COMMIT")?.execute([])?;
        for (request, answer) in group.into_iter().zip(answers) {
            // A caller that is gone needs no answer.
            let _gone = request.answer.send(answer);
        }
    }
    Ok(())
}

fn apply(connection: &Connection, what: &What) -> rusqlite::Result<Option<Claimed>> {
    match *what {
        What::Claim => {
            let claim = include_str!("../../../sql/sqlite/floor_claim.sql");
            claim_one(&mut connection.prepare_cached(claim)?)
        }
        What::Checkpoint(claimed, stage) => {
            let insert = include_str!("../../../sql/sqlite/floor_checkpoint.sql");
            let mut insert = connection.prepare_cached(insert)?;
            let stored = insert.execute(params![claimed.job, claimed.generation, stage])?;
            Ok((stored == 1).then_some(claimed))
        }
        What::Finish(claimed) => {
            let finish = include_str!("../../../sql/sqlite/floor_finish.sql");
            let mut finish = connection.prepare_cached(finish)?;
            let ended = finish.execute(params![claimed.job, claimed.generation, 1_i64])?;
            Ok((ended == 1).then_some(claimed))
        }
    }
}

fn claim_one(claim: &mut CachedStatement<'_>) -> rusqlite::Result<Option<Claimed>> {
    let mut rows = claim.query([1_i64])?;
    let Some(row) = rows.next()? else { return Ok(None) };
    let (claimed, _payload) =
        (Claimed { job: row.get(0)?, generation: row.get(1)? }, row.get::<_, String>(2)?);
    // The statement has to come to its end, or it would still be busy at the commit.
    while rows.next()?.is_some() {}
    Ok(Some(claimed))
}
