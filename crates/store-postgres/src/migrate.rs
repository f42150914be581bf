//! Bringing a database to the schema of this program, and refusing one that has another.

use std::time::Duration;

use koinon_store::Error;
use sqlx::migrate::{Migration, Migrator};
use sqlx::{Connection as _, PgConnection, PgExecutor, Row as _};

use crate::connect;
use crate::error::Failure;

static MIGRATIONS: Migrator = sqlx::migrate!("../../migrations/postgres");

/// How long a migration may take, the wait for another one included.
const MIGRATE_FOR: Duration = Duration::from_mins(30);

/// Runs the migrations that the database does not have, all in one transaction under a lock that ends with
/// it: a process that is killed meanwhile leaves the database as it was, and of several at once one
/// does the work.
pub(crate) async fn migrate(url: &str) -> Result<i64, Error> {
    let mut connection = connect::alone(url).await?;
    let work = tokio::time::timeout(MIGRATE_FOR, run(&mut connection));
    let done = work.await.unwrap_or_else(|elapsed| {
        Err(Failure::from(sqlx::Error::Io(std::io::Error::from(elapsed))))
    });
    let closed = connection.close().await;
    let version = done?;
    if let Err(error) = closed {
        tracing::debug!(%error, "the connection that migrated did not close well");
    }
    Ok(version)
}

/// Refuses a schema that is not this program's.
pub(crate) async fn check<'c, E>(executor: E) -> Result<(), Error>
where
    E: PgExecutor<'c> + Copy,
{
    let missing = missing(&known(executor).await?)?;
    match missing.last() {
        None => Ok(()),
        Some(newest) => {
            let version = newest.version;
            Err(Error::Schema { hint: hint(&format!("does not have migration {version}")) })
        }
    }
}

/// What to do about a schema that lacks something.
pub(crate) fn hint(what: &str) -> String {
    format!("the database {what}; run `koinon migrate --database URL`")
}

/// The version of the newest migration that the database has; 0 before the first.
pub(crate) async fn version<'c, E>(executor: E) -> Result<i64, Error>
where
    E: PgExecutor<'c> + Copy,
{
    Ok(newest(&known(executor).await?))
}

/// Migrations that the database has, with their checksums, oldest first.
type Applied = Vec<(i64, Vec<u8>)>;

fn newest(applied: &Applied) -> i64 {
    applied.last().map_or(0, |(version, _)| *version)
}

async fn known<'c, E>(executor: E) -> Result<Applied, Error>
where
    E: PgExecutor<'c> + Copy,
{
    if !has_schema(executor).await? {
        return Ok(Applied::new());
    }
    Ok(applied(executor).await?)
}

async fn has_schema<'c, E: PgExecutor<'c>>(executor: E) -> Result<bool, Failure> {
    let query = sqlx::query(include_str!("sql/has_schema.sql")).persistent(false);
    Ok(query.fetch_one(executor).await?.try_get(0)?)
}

async fn applied<'c, E: PgExecutor<'c>>(executor: E) -> Result<Applied, Failure> {
    let query = sqlx::query(include_str!("sql/migrations.sql")).persistent(false);
    let rows = query.fetch_all(executor).await?;
    let applied = rows.iter().map(|row| Ok((row.try_get(0)?, row.try_get(1)?)));
    Ok(applied.collect::<Result<_, sqlx::Error>>()?)
}

async fn run(connection: &mut PgConnection) -> Result<i64, Failure> {
    sqlx::raw_sql(include_str!("sql/begin.sql")).execute(&mut *connection).await?;
    // The connection is closed after a failure, which takes everything back.
    sqlx::raw_sql(include_str!("sql/migration_lock.sql")).execute(&mut *connection).await?;
    let applied = if has_schema(&mut *connection).await? {
        applied(&mut *connection).await?
    } else {
        Applied::new()
    };
    let missing = missing(&applied)?;
    for migration in &missing {
        sqlx::raw_sql(migration.sql.clone()).execute(&mut *connection).await?;
        sqlx::query(include_str!("sql/keep_migration.sql"))
            .persistent(false)
            .bind(migration.version)
            .bind(migration.description.as_ref())
            .bind(migration.checksum.as_ref())
            .execute(&mut *connection)
            .await?;
    }
    sqlx::raw_sql(include_str!("sql/commit_transaction.sql")).execute(&mut *connection).await?;
    Ok(missing.last().map_or(newest(&applied), |migration| migration.version))
}

fn missing(applied: &Applied) -> Result<Vec<&'static Migration>, Error> {
    let known: Vec<&Migration> = MIGRATIONS.iter().collect();
    for (version, checksum) in applied {
        match known.iter().find(|migration| migration.version == *version) {
            None => return Err(newer(*version)),
            Some(migration) if *migration.checksum != **checksum => return Err(another(*version)),
            Some(_) => {}
        }
    }
    let newest = newest(applied);
    Ok(known.into_iter().filter(|migration| migration.version > newest).collect())
}

fn newer(version: i64) -> Error {
    let hint = format!(
        "the database has migration {version}, which this program does not know; use a newer program"
    );
    Error::Schema { hint }
}

fn another(version: i64) -> Error {
    let hint = format!(
        "migration {version} of the database is not the one of this program; use the program that \
         migrated it, or another database"
    );
    Error::Schema { hint }
}
