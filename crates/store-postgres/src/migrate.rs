//! Bringing a database to the schema of this program, and refusing one that has another.

use std::time::Duration;

use koinon_store::Error;
use sqlx::migrate::{Migration, Migrator};
use sqlx::{Connection as _, PgConnection, Row as _};

use crate::connect;
use crate::error::Failure;
use crate::row::{Columns, Found};
use crate::tx::Tx;

static MIGRATIONS: Migrator = sqlx::migrate!("../../migrations/postgres");

/// How long a migration may take, the wait for another one included.
const MIGRATE_FOR: Duration = Duration::from_mins(30);

/// How long the migrations rest before they are begun again behind somebody who was in their way.
const REST: Duration = Duration::from_secs(1);

/// How long the way to the database may take.
pub(crate) const CONNECT_FOR: Duration = Duration::from_secs(10);

/// Runs the migrations that the database does not have, all in one transaction under a lock that ends with
/// it: a process that is killed meanwhile leaves the database as it was, and of several at once one
/// does the work. Whoever works meanwhile is not held up for longer than a wait for a lock may last: then the
/// migrations let go of everything, and are begun again.
pub(crate) async fn migrate(url: &str) -> Result<i64, Error> {
    let mut connection = connect::alone(url, CONNECT_FOR).await?;
    let done = tokio::time::timeout(MIGRATE_FOR, patiently(&mut connection)).await;
    let done = done.unwrap_or_else(|elapsed| {
        Err(Failure::from(sqlx::Error::Io(std::io::Error::from(elapsed))))
    });
    close(connection).await;
    Ok(done?)
}

/// Refuses a schema that is not this program's.
pub(crate) async fn check(url: &str, wait: Duration) -> Result<(), Error> {
    let mut connection = connect::alone(url, wait).await?;
    let known = tokio::time::timeout(wait, looked_up(&mut connection)).await;
    let known = known.unwrap_or_else(|elapsed| {
        Err(Failure::from(sqlx::Error::Io(std::io::Error::from(elapsed))))
    });
    close(connection).await;
    let known = known?;
    match missing(&known)?.last() {
        None => Ok(()),
        Some(needed) => {
            let (found, needed) = (newest(&known), needed.version);
            let what = format!("has schema version {found}, and this program needs {needed}");
            Err(Error::Schema { hint: hint(&what) })
        }
    }
}

/// What to do about a schema that lacks something.
pub(crate) fn hint(what: &str) -> String {
    format!("the database {what}; run `koinon migrate --database URL`")
}

/// The version of the newest migration that the database has.
pub(crate) async fn version(tx: &mut Tx<'_>) -> Result<i64, Failure> {
    let rows = tx.all(sqlx::query(include_str!("sql/migrations.sql"))).await?;
    Ok(newest(&applied(&rows)?))
}

/// Migrations that a database has, with their checksums, oldest first.
type Applied = Vec<(i64, Vec<u8>)>;

fn newest(applied: &Applied) -> i64 {
    applied.last().map_or(0, |(version, _)| *version)
}

async fn known(connection: &mut PgConnection) -> Result<Applied, Failure> {
    let has_schema = sqlx::query(include_str!("sql/has_schema.sql")).persistent(false);
    if !has_schema.fetch_one(&mut *connection).await?.try_get::<bool, _>(0)? {
        return Ok(Applied::new());
    }
    let query = sqlx::query(include_str!("sql/migrations.sql")).persistent(false);
    let rows: Vec<_> = query.fetch_all(connection).await?.into_iter().map(Found::from).collect();
    Ok(applied(&rows)?)
}

fn applied(rows: &[Found]) -> Result<Applied, Error> {
    let rows = rows.iter().map(|row| Columns::new(row, "a migration"));
    rows.map(|row| Ok((row.get("version")?, row.get("checksum")?))).collect()
}

/// In a transaction, because a pooler may send each message of a statement elsewhere otherwise.
async fn looked_up(connection: &mut PgConnection) -> Result<Applied, Failure> {
    sqlx::raw_sql(include_str!("sql/begin.sql")).execute(&mut *connection).await?;
    known(connection).await
}

/// Runs the migrations, again where others were in the way.
async fn patiently(connection: &mut PgConnection) -> Result<i64, Failure> {
    loop {
        match run(connection).await {
            Err(failure) if failure.is_in_the_way() => {
                tracing::warn!(%failure, "somebody uses a table that is to be changed; beginning again");
            }
            done => return done,
        }
        sqlx::raw_sql(include_str!("sql/rollback.sql")).execute(&mut *connection).await?;
        tokio::time::sleep(REST).await;
    }
}

/// A connection that is closed after a failure takes everything back.
async fn run(connection: &mut PgConnection) -> Result<i64, Failure> {
    sqlx::raw_sql(include_str!("sql/begin.sql")).execute(&mut *connection).await?;
    sqlx::raw_sql(include_str!("sql/migration_lock.sql")).execute(&mut *connection).await?;
    let applied = known(connection).await?;
    let missing = missing(&applied)?;
    sqlx::raw_sql(include_str!("sql/migration_patience.sql")).execute(&mut *connection).await?;
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

pub(crate) async fn close(connection: PgConnection) {
    let closed = tokio::time::timeout(CONNECT_FOR, connection.close()).await;
    if let Ok(Err(error)) = closed {
        tracing::debug!(%error, "a connection did not close well");
    }
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
