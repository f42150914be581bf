//! Bringing a file to the schema of this program.

use koinon_store::Error;
use sqlx::migrate::{Migration, Migrator};
use sqlx::{Row as _, SqliteConnection};

use crate::error::Failure;

static MIGRATIONS: Migrator = sqlx::migrate!("../../migrations/sqlite");

/// Runs the migrations that the file does not have, all in one transaction: a process that is killed
/// meanwhile leaves the file as it was, and of several that open it at once one does the work.
pub(crate) async fn migrate(connection: &mut SqliteConnection) -> Result<(), Failure> {
    if missing(connection).await?.is_empty() {
        return Ok(());
    }
    sqlx::query(include_str!("sql/begin.sql")).execute(&mut *connection).await?;
    let ran = run(connection).await;
    let end = match &ran {
        Ok(()) => include_str!("sql/commit_transaction.sql"),
        Err(_) => include_str!("sql/rollback.sql"),
    };
    let ended = sqlx::query(end).execute(&mut *connection).await;
    ran?;
    ended?;
    Ok(())
}

/// The version of the newest migration that the file has; 0 before the first.
pub(crate) fn version(applied: &[(i64, Vec<u8>)]) -> i64 {
    applied.last().map_or(0, |(version, _)| *version)
}

/// The migrations that the file has, with their checksums, oldest first.
pub(crate) async fn applied<'c, E>(executor: E) -> Result<Vec<(i64, Vec<u8>)>, sqlx::Error>
where
    E: sqlx::SqliteExecutor<'c>,
{
    let rows = sqlx::query(include_str!("sql/migrations.sql")).fetch_all(executor).await?;
    rows.iter().map(|row| Ok((row.try_get(0)?, row.try_get(1)?))).collect()
}

async fn run(connection: &mut SqliteConnection) -> Result<(), Failure> {
    // Another process may have done it between the look and the lock.
    for migration in missing(connection).await? {
        sqlx::raw_sql(migration.sql.clone()).execute(&mut *connection).await?;
        sqlx::query(include_str!("sql/keep_migration.sql"))
            .bind(migration.version)
            .bind(migration.description.as_ref())
            .bind(migration.checksum.as_ref())
            .execute(&mut *connection)
            .await?;
    }
    Ok(())
}

async fn missing(connection: &mut SqliteConnection) -> Result<Vec<&'static Migration>, Failure> {
    let has_schema = sqlx::query(include_str!("sql/has_schema.sql"));
    let tables: i64 = has_schema.fetch_one(&mut *connection).await?.try_get(0)?;
    let applied = if tables == 0 { Vec::new() } else { applied(&mut *connection).await? };
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
