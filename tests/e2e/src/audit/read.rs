//! Reading the tables.

use std::path::Path;

use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection, SqliteRow};
use sqlx::{Connection as _, Row as _};

use super::{Amounts, Audit, Checkpoint, Entry, Event, Standing};

/// All jobs, the oldest first, each as it stood at one instant.
pub(super) async fn all(database: &Path) -> Vec<Audit> {
    let options = SqliteConnectOptions::new().filename(database).read_only(true);
    let mut connection = SqliteConnection::connect_with(&options).await.unwrap();
    let mut snapshot = connection.begin().await.unwrap();
    let standings =
        "SELECT standings.* FROM standings JOIN jobs USING (job_id) ORDER BY submitted_at, job_id";
    let mut jobs = Vec::new();
    for row in sqlx::query(standings).fetch_all(&mut *snapshot).await.unwrap() {
        let job: Vec<u8> = row.get("job_id");
        jobs.push(Audit {
            standing: standing(&row),
            events: events(&mut snapshot, &job).await,
            ledger: ledger(&mut snapshot, &job).await,
            checkpoints: checkpoints(&mut snapshot, &job).await,
        });
    }
    drop(snapshot);
    connection.close().await.unwrap();
    jobs
}

fn standing(row: &SqliteRow) -> Standing {
    Standing {
        job: hex_of(row, "job_id"),
        state: row.get("state"),
        generation: row.get("generation"),
        attempt: row.get("attempt"),
        error_code: row.get("error_code"),
        spent: amounts(row, "spent_"),
        reserved: amounts(row, "reserved_"),
        in_doubt: amounts(row, "in_doubt_"),
        open_holds: row.get("open_holds"),
        lease_losses: row.get("lease_losses"),
        ready_at: row.get("ready_at"),
    }
}

async fn events(connection: &mut SqliteConnection, job: &[u8]) -> Vec<Event> {
    let query = "SELECT * FROM job_events WHERE job_id = ? ORDER BY seq";
    let rows = sqlx::query(query).bind(job).fetch_all(connection).await.unwrap();
    let event = |row: &SqliteRow| Event {
        seq: row.get("seq"),
        at: row.get("at"),
        name: row.get("name"),
        from: row.get("from_state"),
        to: row.get("to_state"),
        detail: row.get("detail"),
    };
    rows.iter().map(event).collect()
}

async fn ledger(connection: &mut SqliteConnection, job: &[u8]) -> Vec<Entry> {
    let query = "SELECT * FROM ledger WHERE job_id = ? ORDER BY entry_no";
    let rows = sqlx::query(query).bind(job).fetch_all(connection).await.unwrap();
    let entry = |row: &SqliteRow| Entry {
        hold: hex_of(row, "hold_id"),
        kind: row.get("kind"),
        generation: row.get("generation"),
        at: row.get("at"),
        call: hex_of(row, "call"),
        retry: row.get("retry"),
        amounts: amounts(row, ""),
        usable: row.get("usable"),
    };
    rows.iter().map(entry).collect()
}

async fn checkpoints(connection: &mut SqliteConnection, job: &[u8]) -> Vec<Checkpoint> {
    let query = "SELECT * FROM checkpoints WHERE job_id = ?";
    let rows = sqlx::query(query).bind(job).fetch_all(connection).await.unwrap();
    let checkpoint = |row: &SqliteRow| Checkpoint {
        stage: row.get("stage"),
        version: row.get("version"),
        item: row.get("item"),
        input: hex_of(row, "input"),
    };
    rows.iter().map(checkpoint).collect()
}

fn amounts(row: &SqliteRow, prefix: &str) -> Amounts {
    let get = |name| row.get(format!("{prefix}{name}").as_str());
    Amounts {
        cost: get("cost_nano_usd"),
        calls: get("calls"),
        input_tokens: get("input_tokens"),
        output_tokens: get("output_tokens"),
    }
}

fn hex_of(row: &SqliteRow, column: &str) -> String {
    hex::encode(row.get::<Vec<u8>, _>(column))
}
