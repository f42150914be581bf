//! Bringing a file to the schema of this program.

use koinon_store::Error;
use rusqlite::Connection;
use sqlx::migrate::{Migration, Migrator};

use crate::error::Failure;
use crate::row::Columns;
use crate::statement::{Query, query};
use crate::values::Row;

static MIGRATIONS: Migrator = sqlx::migrate!("../../migrations/sqlite");

/// Runs the migrations that the file does not have, all in one transaction: a process that is killed
/// meanwhile leaves the file as it was, and of several that open it at once one does the work.
pub(crate) fn migrate(connection: &Connection) -> Result<(), Failure> {
    if missing(connection)?.is_empty() {
        return Ok(());
    }
    query(include_str!("sql/begin.sql")).execute(connection)?;
    let ran = run(connection);
    let end = match &ran {
        Ok(()) => include_str!("sql/commit_transaction.sql"),
        Err(_) => include_str!("sql/rollback.sql"),
    };
    let ended = query(end).execute(connection);
    ran?;
    Ok(ended?)
}

/// The version of the newest migration that the file has; 0 before the first.
pub(crate) fn version(applied: &[(i64, Vec<u8>)]) -> i64 {
    applied.last().map_or(0, |(version, _)| *version)
}

/// What lists the migrations that the file has, oldest first.
pub(crate) const fn listed() -> Query<'static> {
    query(include_str!("sql/migrations.sql"))
}

/// The migrations that were listed, with their checksums.
pub(crate) fn applied(rows: &[Row]) -> Result<Vec<(i64, Vec<u8>)>, Error> {
    let rows = rows.iter().map(|row| Columns::new(row, "a migration"));
    rows.map(|row| Ok((row.get("version")?, row.get("checksum")?))).collect()
}

fn run(connection: &Connection) -> Result<(), Failure> {
    // Another process may have done it between the look and the lock.
    for migration in missing(connection)? {
        connection.execute_batch(migration.sql.as_str())?;
        query(include_str!("sql/keep_migration.sql"))
            .bind(migration.version)
            .bind(migration.description.as_ref())
            .bind(migration.checksum.as_ref())
            .execute(connection)?;
    }
    Ok(())
}

fn missing(connection: &Connection) -> Result<Vec<&'static Migration>, Failure> {
    let found = query(include_str!("sql/has_schema.sql")).one(connection)?;
    let has_schema: bool = Columns::new(&found, "the list of tables").get("has_schema")?;
    let applied = if has_schema { applied(&listed().all(connection)?)? } else { Vec::new() };
    let known: Vec<&Migration> = MIGRATIONS.iter().collect();
    for (version, checksum) in &applied {
        match known.iter().find(|migration| migration.version == *version) {
            None => return Err(newer(*version).into()),
            Some(migration) if *migration.checksum != **checksum => {
                return Err(another(*version).into());
            }
            Some(_) => {}
        }
    }
    let newest = version(&applied);
    Ok(known.into_iter().filter(|migration| migration.version > newest).collect())
}

fn newer(version: i64) -> Error {
    Error::Schema {
        hint: format!(
            "the file has migration {version}, which this program does not know; use a newer program"
        ),
    }
}

fn another(version: i64) -> Error {
    Error::Schema {
        hint: format!(
            "migration {version} of the file is not the one of this program; use the program that \
             made the file, or another file"
        ),
    }
}
