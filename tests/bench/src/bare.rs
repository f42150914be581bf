//! The floor: bare durable commits of one small row, as SQLite does them.

use std::path::Path;

use koinon::store::{Clock as _, SystemClock};
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteSynchronous};
use sqlx::{ConnectOptions as _, Connection as _};

/// Times so many pairs of commits, in microseconds.
pub(crate) async fn pairs(folder: &Path, count: usize) -> anyhow::Result<Vec<f64>> {
    let mut connection = SqliteConnectOptions::new()
        .filename(folder.join("bare.db"))
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full)
        .connect()
        .await?;
    let table = "create table if not exists bare (id integer primary key, data blob not null)";
    sqlx::query(table).execute(&mut connection).await?;
    let clock = SystemClock::new();
    let data = vec![7_u8; 300];
    let mut times = Vec::with_capacity(count);
    for _ in 0..count {
        let began = clock.monotonic();
        for _ in 0..2 {
            sqlx::query("begin immediate").execute(&mut connection).await?;
            sqlx::query("insert into bare (data) values (?)")
                .bind(&data)
                .execute(&mut connection)
                .await?;
            sqlx::query("commit").execute(&mut connection).await?;
        }
        times.push((clock.monotonic() - began).as_secs_f64() * 1e6);
    }
    connection.close().await?;
    Ok(times)
}
