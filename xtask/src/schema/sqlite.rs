//! The schema that migrations make on SQLite, as text.

use anyhow::Context as _;
use sqlx::{AssertSqlSafe, Connection as _, SqliteConnection};

use crate::problem::Problem;
use crate::tree::File;

use super::HEAD;
use super::columns::Columns;

/// Runs the migrations in order on an empty database in memory and answers the schema, or the
/// problem of the first migration that cannot be run.
pub(super) fn of(migrations: &[&File]) -> anyhow::Result<Result<String, Problem>> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(run(migrations))
}

async fn run(migrations: &[&File]) -> anyhow::Result<Result<String, Problem>> {
    let mut database = SqliteConnection::connect("sqlite::memory:")
        .await
        .context("cannot open a database in memory")?;
    let mut before = Columns::default();
    for migration in migrations {
        let text = AssertSqlSafe(migration.text.clone());
        if let Err(error) = sqlx::raw_sql(text).execute(&mut database).await {
            return Ok(Err(Problem::new(&migration.path, format!("cannot be run: {error}"))));
        }
        let lines: Vec<String> = sqlx::query_scalar(include_str!("columns.sql"))
            .fetch_all(&mut database)
            .await
            .context("cannot list the columns")?;
        let now = Columns::read(lines.iter().map(String::as_str))?;
        if let Some(breach) = now.breach(&before, migration) {
            return Ok(Err(breach));
        }
        before = now;
    }
    let objects: Vec<String> = sqlx::query_scalar(include_str!("objects.sql"))
        .fetch_all(&mut database)
        .await
        .context("cannot list what the migrations made")?;
    database.close().await.context("cannot close the database in memory")?;
    let mut dump = HEAD.to_owned();
    for object in objects {
        dump.push_str(&format!("\n{};\n", object.trim_end()));
    }
    Ok(Ok(dump))
}
