//! From a URL to connections that keep their promises.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use koinon_store::Error;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

use crate::error::Failure;
use crate::row::Columns;
use crate::statement::query;

/// More statements than there are, so that each is prepared once for each connection.
const STATEMENTS: usize = 200;

/// A WAL that has grown beyond this is cut back at the next checkpoint.
const WAL_KEPT_BYTES: i64 = 64 * 1024 * 1024;

/// So many pages of the WAL are gathered before they are written into the file: a page that every transaction
/// changes is written once for all of them.
const CHECKPOINT_PAGES: i64 = 4000;

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
pub(crate) fn make_folder(path: &Path) -> Result<(), Error> {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => {
            std::fs::create_dir_all(folder).map_err(|error| unmade(folder, &error))
        }
        _ => Ok(()),
    }
}

fn unmade(folder: &Path, error: &io::Error) -> Error {
    let says = format!("cannot make the folder {}: {error}", folder.display());
    Error::Other(io::Error::new(error.kind(), says).into())
}

/// The connection that writes. Waiting for other writers is the caller's: SQLite itself waits in steps
/// that starve whoever has waited longest.
pub(crate) fn writer(path: &Path) -> Result<Connection, Failure> {
    let connection = open(path, OpenFlags::SQLITE_OPEN_CREATE, Duration::ZERO)?;
    verify(&connection, Access::Write)?;
    Ok(connection)
}

/// A connection that reads.
pub(crate) fn reader(path: &Path) -> Result<Connection, Failure> {
    let connection = open(path, OpenFlags::empty(), READER_BUSY_FOR)?;
    connection.pragma_update(None, "query_only", true)?;
    verify(&connection, Access::Read)?;
    Ok(connection)
}

/// Each connection is used by one thread at a time, so SQLite need not lock it.
fn open(path: &Path, flags: OpenFlags, busy_for: Duration) -> rusqlite::Result<Connection> {
    let flags = flags | OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(busy_for)?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS);
    // A plan does not depend on the arguments, or a statement would be prepared again for each of them.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    connection.pragma_update(None, "journal_mode", "wal")?;
    connection.pragma_update(None, "synchronous", "full")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    connection.pragma_update(None, "wal_autocheckpoint", CHECKPOINT_PAGES)?;
    connection.pragma_update(None, "journal_size_limit", WAL_KEPT_BYTES)?;
    Ok(connection)
}

#[derive(Clone, Copy)]
enum Access {
    Read,
    Write,
}

/// Reads back what the connection promises: a file system that cannot do WAL says so here only.
fn verify(connection: &Connection, access: Access) -> Result<(), Failure> {
    let row = query(include_str!("sql/journal_mode.sql")).one(connection)?;
    let journal: String = Columns::new(&row, "the journal").get("journal_mode")?;
    let row = query(include_str!("sql/pragmas.sql")).one(connection)?;
    let row = Columns::new(&row, "the connection");
    let found: (_, i64, i64, i64) = (
        journal.as_str(),
        row.get("synchronous")?,
        row.get("foreign_keys")?,
        row.get("query_only")?,
    );
    let wanted = ("wal", 2, 1, i64::from(matches!(access, Access::Read)));
    if found == wanted {
        return Ok(());
    }
    let says = format!(
        "the connection is not what it must be: (journal_mode, synchronous, foreign_keys, query_only) \
         is {found:?}, not {wanted:?}"
    );
    Err(Error::Other(says.into()).into())
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
