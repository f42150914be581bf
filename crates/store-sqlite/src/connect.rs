//! From a URL to connections that keep their promises.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use koinon_store::Error;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{ConnectOptions as _, Row as _, SqliteConnection, SqlitePool};

use crate::error;

/// More statements than there are, so that each is prepared once for each connection.
const STATEMENTS: usize = 200;

/// A WAL that has grown beyond this is cut back at the next checkpoint.
const WAL_KEPT_BYTES: &str = "67108864";

/// How long a read waits for the rare moment in which the file is locked as a whole.
const READER_BUSY_FOR: Duration = Duration::from_secs(2);

/// The file that a `sqlite://` URL names; relative unless a third slash follows.
pub(crate) fn path(url: &str) -> Result<PathBuf, Error> {
    let path = url.strip_prefix("sqlite://").or_else(|| url.strip_prefix("sqlite:"));
    match path {
        Some(path) if !path.is_empty() && !path.starts_with(":memory:") => Ok(PathBuf::from(path)),
        _ => Err(Error::Invalid(format!(
            "{url:?} names no SQLite file: give a path, such as sqlite://.koinon/koinon.db"
        ))),
    }
}

/// Makes the folder of the file.
pub(crate) async fn make_folder(path: &Path) -> Result<(), Error> {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => {
            tokio::fs::create_dir_all(folder).await.map_err(|error| unmade(folder, &error))
        }
        _ => Ok(()),
    }
}

fn unmade(folder: &Path, error: &io::Error) -> Error {
    let says = format!("cannot make the folder {}: {error}", folder.display());
    error::of(sqlx::Error::Io(io::Error::new(error.kind(), says)))
}

/// The connection that writes. Waiting for other writers is the caller's: SQLite itself waits in steps
/// that starve whoever has waited longest.
pub(crate) async fn writer(path: &Path) -> Result<SqliteConnection, sqlx::Error> {
    let options = options(path).create_if_missing(true).busy_timeout(Duration::ZERO);
    let mut connection = options.connect().await?;
    verify(&mut connection, Access::Write).await?;
    Ok(connection)
}

/// The connections that read.
pub(crate) async fn readers(
    path: &Path,
    count: u32,
    acquire_for: Duration,
) -> Result<SqlitePool, sqlx::Error> {
    let options = options(path).busy_timeout(READER_BUSY_FOR).pragma("query_only", "ON");
    SqlitePoolOptions::new()
        .max_connections(count.max(1))
        .acquire_timeout(acquire_for)
        .test_before_acquire(false)
        .after_connect(|connection, _| Box::pin(verify(connection, Access::Read)))
        .connect_with(options)
        .await
}

fn options(path: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new()
        .filename(path)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full)
        .foreign_keys(true)
        .pragma("journal_size_limit", WAL_KEPT_BYTES)
        .statement_cache_capacity(STATEMENTS)
        .disable_statement_logging()
}

#[derive(Clone, Copy)]
enum Access {
    Read,
    Write,
}

/// Reads back what the connection promises: a file system that cannot do WAL says so here only.
async fn verify(connection: &mut SqliteConnection, access: Access) -> Result<(), sqlx::Error> {
    let row = sqlx::query(include_str!("sql/journal_mode.sql")).fetch_one(&mut *connection).await?;
    let journal: String = row.try_get(0)?;
    let row = sqlx::query(include_str!("sql/pragmas.sql")).fetch_one(&mut *connection).await?;
    let synchronous: i64 = row.try_get("synchronous")?;
    let foreign_keys: i64 = row.try_get("foreign_keys")?;
    let query_only: i64 = row.try_get("query_only")?;
    let wanted = ("wal", 2, 1, i64::from(matches!(access, Access::Read)));
    let found = (journal.as_str(), synchronous, foreign_keys, query_only);
    if found == wanted {
        return Ok(());
    }
    let says = format!(
        "the connection is not what it must be: (journal_mode, synchronous, foreign_keys, query_only) \
         is {found:?}, not {wanted:?}"
    );
    Err(sqlx::Error::Configuration(says.into()))
}

#[cfg(test)]
mod tests {
    use super::path;

    #[test]
    fn two_slashes_are_followed_by_a_relative_path_and_three_by_an_absolute_one() {
        let named = |url: &str| path(url).unwrap().display().to_string();
        assert_eq!(named("sqlite://.koinon/koinon.db"), ".koinon/koinon.db");
        assert_eq!(named("sqlite:///var/koinon 100%.db"), "/var/koinon 100%.db");
    }
}
