//! The database that the workers share, asked behind their backs.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use koinon_cluster::Cluster;
use sqlx::postgres::PgConnection;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{AssertSqlSafe, Connection as _};

use super::tables::{Dialect, Records, records, statements};
use crate::clock;

/// The database; each question has a connection of its own, since the server may be gone at any time.
#[derive(Debug, Clone)]
pub(super) enum Database {
    Sqlite(PathBuf),
    Postgres(Arc<Cluster>),
}

/// Where the tables are when a run is over.
#[derive(Debug)]
pub(super) enum Tables {
    /// In a file of SQLite.
    File(PathBuf),
    /// In statements that make them on any Postgres.
    Dump(PathBuf),
    /// Nowhere, and why.
    Nowhere(String),
}

impl Database {
    /// How many live leases each worker has, by worker id.
    pub(super) async fn leases(&self) -> Result<BTreeMap<String, i64>, sqlx::Error> {
        let now = clock::now_us();
        let statement = match self {
            Self::Sqlite(_) => format!(
                "SELECT json_array(lower(hex(lease_owner)), count(*)) FROM runs
                 WHERE lease_expires_at > {now} GROUP BY lease_owner"
            ),
            Self::Postgres(_) => {
                "SELECT json_build_array(replace(lease_owner::text, '-', ''), count(*))::text FROM runs
                 WHERE lease_expires_at > clock_timestamp() GROUP BY lease_owner"
                    .to_owned()
            }
        };
        let rows = self.rows([statement]).await?;
        Ok(rows[0].iter().map(|row| serde_json::from_str::<(String, i64)>(row).unwrap()).collect())
    }

    /// How many jobs have neither ended nor paused.
    pub(super) async fn unsettled(&self) -> Result<usize, sqlx::Error> {
        let text = match self {
            Self::Sqlite(_) => "TEXT",
            Self::Postgres(_) => "text",
        };
        let statement =
            format!("SELECT CAST(count(*) AS {text}) FROM runs WHERE state <> 'paused'");
        Ok(self.rows([statement]).await?[0][0].parse().unwrap())
    }

    /// Everything that the tables say.
    pub(super) async fn records(&self) -> Result<Records, sqlx::Error> {
        Ok(records(&self.rows(statements(self.dialect())).await?))
    }

    /// Ends the server all at once and starts it again; whether there is one.
    pub(super) async fn restart(&self) -> bool {
        let Self::Postgres(cluster) = self else { return false };
        let cluster = Arc::clone(cluster);
        let restart = tokio::task::spawn_blocking(move || cluster.restart_immediately());
        restart.await.unwrap().unwrap();
        true
    }

    /// What the workers call it when they reach it at a port.
    pub(super) fn url_at(&self, port: u16) -> String {
        match self {
            Self::Sqlite(file) => format!("sqlite://{}", file.display()),
            Self::Postgres(cluster) => {
                cluster.url(NAME).replace(&format!(":{}/", cluster.port()), &format!(":{port}/"))
            }
        }
    }

    /// What those call it whom nothing is done to.
    pub(super) fn url(&self) -> String {
        match self {
            Self::Sqlite(_) => self.url_at(0),
            Self::Postgres(cluster) => cluster.url(NAME),
        }
    }

    /// Sees to it that the tables are in a folder: the file is there already, and of a server's database, which
    /// goes, a dump is written, if that can be.
    pub(super) fn left_in(&self, folder: &Path) -> Tables {
        match self {
            Self::Sqlite(file) => Tables::File(file.clone()),
            Self::Postgres(cluster) => {
                let dump = folder.join("koinon.sql");
                match cluster.dump(NAME, &dump) {
                    Ok(()) => Tables::Dump(dump),
                    Err(error) => Tables::Nowhere(format!("{error:#}").trim_end().to_owned()),
                }
            }
        }
    }

    const fn dialect(&self) -> Dialect {
        match self {
            Self::Sqlite(_) => Dialect::Sqlite,
            Self::Postgres(_) => Dialect::Postgres,
        }
    }

    /// The rows of each statement, whose only column is text.
    async fn rows<const N: usize>(
        &self,
        statements: [String; N],
    ) -> Result<[Vec<String>; N], sqlx::Error> {
        let mut rows = [const { Vec::new() }; N];
        match self {
            Self::Sqlite(file) => {
                let options = SqliteConnectOptions::new().filename(file).read_only(true);
                let mut connection = SqliteConnection::connect_with(&options).await?;
                for (statement, rows) in statements.into_iter().zip(&mut rows) {
                    let asked = sqlx::query_scalar(AssertSqlSafe(statement));
                    *rows = asked.fetch_all(&mut connection).await?;
                }
                connection.close().await?;
            }
            Self::Postgres(cluster) => {
                let mut connection = PgConnection::connect(&cluster.url(NAME)).await?;
                for (statement, rows) in statements.into_iter().zip(&mut rows) {
                    let asked = sqlx::query_scalar(AssertSqlSafe(statement));
                    *rows = asked.fetch_all(&mut connection).await?;
                }
                connection.close().await?;
            }
        }
        Ok(rows)
    }
}

/// What the database is called on Postgres.
pub(super) const NAME: &str = "chaos";
