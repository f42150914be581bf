//! The schema that migrations make on Postgres, as text.

use koinon_cluster::Cluster;

use crate::problem::Problem;
use crate::tree::File;

use super::HEAD;
use super::columns::Columns;

/// How a line begins that says nothing about the schema: comments, and what sets up the session that reads
/// the dump.
const ABOUT_THE_DUMP: [&str; 4] = ["--", "SET ", "SELECT pg_catalog.set_config", "\\"];

/// Runs the migrations in order on an empty database of a private cluster and answers the schema, or the
/// problem of the first migration that cannot be run.
pub(super) fn of(migrations: &[&File]) -> anyhow::Result<Result<String, Problem>> {
    koinon_cluster::install()?;
    let cluster = Cluster::shared()?;
    let database = cluster.empty()?;
    let mut before = Columns::default();
    for migration in migrations {
        if let Err(error) = cluster.run(database.name(), &migration.text) {
            return Ok(Err(Problem::new(&migration.path, format!("cannot be run: {error}"))));
        }
        let lines = cluster.run(database.name(), include_str!("columns_postgres.sql"))?;
        let now = Columns::read(lines.lines())?;
        if let Some(breach) = now.breach(&before, migration) {
            return Ok(Err(breach));
        }
        before = now;
    }
    let dump = cluster.schema(database.name())?;
    let mut text = HEAD.to_owned();
    let lines =
        dump.lines().filter(|line| !ABOUT_THE_DUMP.iter().any(|begin| line.starts_with(begin)));
    for line in lines {
        // The lines that were left out leave empty ones behind.
        if !line.is_empty() || !text.ends_with("\n\n") {
            text.push_str(line);
            text.push('\n');
        }
    }
    Ok(Ok(format!("{}\n", text.trim_end())))
}
