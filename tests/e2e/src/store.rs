//! The databases that the program runs on.

use std::path::{Path, PathBuf};

use koinon_cluster::{Cluster, Database};
use sqlx::Connection as _;
use sqlx::postgres::PgConnection;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};

/// What keeps the jobs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Store {
    /// A file.
    Sqlite,
    /// A database of a Postgres that is started for it.
    Postgres,
}

impl Store {
    /// An empty database.
    #[must_use]
    pub fn place(self) -> Place {
        match self {
            Self::Sqlite => Place::File(PathBuf::new()),
            Self::Postgres => {
                let database = Cluster::shared().unwrap().empty().unwrap();
                Place::Postgres { url: database.url(), database: Some(database) }
            }
        }
    }
}

/// One database.
#[derive(Debug)]
pub enum Place {
    /// The file that the program makes when no database is named.
    File(PathBuf),
    /// A database of a Postgres.
    Postgres {
        /// Where it is.
        url: String,
        /// What takes it away in the end.
        database: Option<Database>,
    },
}

impl Place {
    /// A database that goes with its server.
    #[must_use]
    pub const fn at(url: String) -> Self {
        Self::Postgres { url, database: None }
    }

    /// The same; a file is where the program looks for it in this folder.
    #[must_use]
    pub fn in_folder(self, home: &Path) -> Self {
        match self {
            Self::File(_) => Self::File(home.join(".koinon/koinon.db")),
            postgres @ Self::Postgres { .. } => postgres,
        }
    }

    /// The URL of a database on Postgres.
    #[must_use]
    pub fn url(&self) -> Option<&str> {
        match self {
            Self::File(_) => None,
            Self::Postgres { url, .. } => Some(url),
        }
    }

    /// The texts that a statement answers, in the words of each store.
    pub async fn ask(&self, sqlite: &'static str, postgres: &'static str) -> Vec<String> {
        match self {
            Self::File(path) => {
                let options = SqliteConnectOptions::new().filename(path).read_only(true);
                let mut connection = SqliteConnection::connect_with(&options).await.unwrap();
                let texts = sqlx::query_scalar(sqlite).fetch_all(&mut connection).await.unwrap();
                connection.close().await.unwrap();
                texts
            }
            Self::Postgres { url, .. } => {
                let mut connection = PgConnection::connect(url).await.unwrap();
                let texts = sqlx::query_scalar(postgres).fetch_all(&mut connection).await.unwrap();
                connection.close().await.unwrap();
                texts
            }
        }
    }

    /// Changes rows by hand, as no program does.
    pub async fn write(&self, sqlite: &'static str, postgres: &'static str) {
        match self {
            Self::File(path) => {
                let options = SqliteConnectOptions::new().filename(path);
                let mut connection = SqliteConnection::connect_with(&options).await.unwrap();
                sqlx::raw_sql(sqlite).execute(&mut connection).await.unwrap();
                connection.close().await.unwrap();
            }
            Self::Postgres { url, .. } => {
                let mut connection = PgConnection::connect(url).await.unwrap();
                sqlx::raw_sql(postgres).execute(&mut connection).await.unwrap();
                connection.close().await.unwrap();
            }
        }
    }
}
