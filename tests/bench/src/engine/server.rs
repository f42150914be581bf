//! The server that is loaded, and the scratch databases in it.

use std::collections::BTreeSet;
use std::str::FromStr as _;
use std::sync::{Mutex, MutexGuard, PoisonError};

use anyhow::{Context as _, ensure};
use koinon::store::{Clock as _, SystemClock};
use koinon_cluster::{Cluster, Setup};
use sqlx::postgres::PgConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions as _, Connection as _, PgConnection};

use super::cost;
use super::size::Size;

/// How quick a commit is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Disk {
    /// As quick as the disk.
    AsItIs,
    /// As slow as on the disk of a cloud: about 2.3 ms.
    Slow,
}

/// What makes commits slow, for the sessions of one database.
const SLOW: [&str; 2] = ["commit_delay = 2000", "commit_siblings = 0"];

/// A server.
#[derive(Debug)]
pub(super) struct Server {
    url: String,
    postmaster: Option<u32>,
    live: Mutex<BTreeSet<String>>,
    roles: Mutex<BTreeSet<String>>,
    _own: Option<Cluster>,
}

/// A database of one's own.
#[derive(Debug)]
pub(super) struct Scratch {
    pub(super) url: String,
    name: String,
    /// The server's first process, if it runs here.
    pub(super) postmaster: Option<u32>,
}

impl Server {
    /// The server that the URL names, or a private one.
    pub(super) async fn open(url: Option<&str>, size: Size) -> anyhow::Result<Self> {
        let own = url.is_none().then(|| Cluster::start_as(Setup::measured())).transpose()?;
        let url = match (url, &own) {
            (None, Some(own)) => own.url("postgres"),
            (url, _) => url.unwrap_or_default().to_owned(),
        };
        let mut session = connect(&url).await?;
        check_durable(&mut session, size).await?;
        let postmaster = match own {
            Some(_) => {
                let asked = sqlx::query_scalar("SELECT pg_backend_pid()");
                cost::parent_of(asked.fetch_one(&mut session).await?).ok()
            }
            None => None,
        };
        session.close().await?;
        Ok(Self { url, postmaster, live: Mutex::default(), roles: Mutex::default(), _own: own })
    }

    /// Works on a new, empty database, and drops it.
    pub(super) async fn scratch<T>(
        &self,
        disk: Disk,
        work: impl AsyncFnOnce(&Scratch) -> anyhow::Result<T>,
    ) -> anyhow::Result<T> {
        let done = match self.create(disk).await {
            Ok(scratch) => work(&scratch).await,
            Err(error) => Err(error),
        };
        self.drop_all().await;
        done
    }

    /// A new, empty database; it is dropped by [`drop_all`](Self::drop_all).
    pub(super) async fn create(&self, disk: Disk) -> anyhow::Result<Scratch> {
        let name = format!("koinon_bench_{}", SystemClock::new().uuid().simple());
        let mut session = connect(&self.url).await?;
        self.live().insert(name.clone());
        run(&mut session, format!("CREATE DATABASE {name} TEMPLATE template0"))
            .await
            .context("a scratch database could not be made: the user needs CREATEDB")?;
        for setting in SLOW.into_iter().filter(|_| disk == Disk::Slow) {
            let told = run(&mut session, format!("ALTER DATABASE {name} SET {setting}")).await;
            told.context("slow commits could not be asked for: the user has to be a superuser")?;
        }
        session.close().await?;
        let url = with_database(&self.url, &name)?;
        Ok(Scratch { url, name, postmaster: self.postmaster })
    }

    /// A new role without any right, for a scratch database; it is dropped after that.
    pub(super) async fn create_role(&self, scratch: &Scratch) -> anyhow::Result<String> {
        let role = format!("{}_role", scratch.name);
        let mut session = connect(&self.url).await?;
        run(&mut session, format!("CREATE ROLE {role}"))
            .await
            .context("a role could not be made: the user needs CREATEROLE")?;
        self.roles().insert(role.clone());
        session.close().await?;
        Ok(role)
    }

    async fn drop_one(&self, what: String) -> anyhow::Result<()> {
        let mut session = connect(&self.url).await?;
        run(&mut session, format!("DROP {what}")).await?;
        Ok(session.close().await?)
    }

    /// Drops the databases that there are, and then the roles, whose rights are gone with them.
    pub(super) async fn drop_all(&self) {
        let databases = std::mem::take(&mut *self.live());
        let drops = databases.iter().map(|name| format!("DATABASE IF EXISTS {name} WITH (FORCE)"));
        let roles = std::mem::take(&mut *self.roles());
        for what in drops.chain(roles.iter().map(|name| format!("ROLE IF EXISTS {name}"))) {
            if let Err(error) = self.drop_one(what.clone()).await {
                super::warn(&format!("{what} is left behind: {error:#}"));
            }
        }
    }

    fn live(&self) -> MutexGuard<'_, BTreeSet<String>> {
        self.live.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn roles(&self) -> MutexGuard<'_, BTreeSet<String>> {
        self.roles.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Scratch {
    /// A session of its own.
    pub(super) async fn session(&self) -> anyhow::Result<PgConnection> {
        connect(&self.url).await
    }
}

/// What is measured has to be durable; a test that measures nothing does without.
async fn check_durable(session: &mut PgConnection, size: Size) -> anyhow::Result<()> {
    for setting in ["fsync", "synchronous_commit", "full_page_writes"] {
        let asked = sqlx::query_scalar("SELECT current_setting($1)").bind(setting);
        let value: String = asked.fetch_one(&mut *session).await?;
        let says = "is off on this server, so nothing that is measured there means anything";
        ensure!(value != "off" || size == Size::Tiny, "{setting} {says}");
    }
    Ok(())
}

async fn connect(url: &str) -> anyhow::Result<PgConnection> {
    let options = PgConnectOptions::from_str(url).context("this is no URL of a Postgres")?;
    options.connect().await.context("the server cannot be reached")
}

async fn run(session: &mut PgConnection, statement: String) -> anyhow::Result<()> {
    sqlx::raw_sql(AssertSqlSafe(statement)).execute(session).await?;
    Ok(())
}

/// The URL with another database in it.
fn with_database(url: &str, name: &str) -> anyhow::Result<String> {
    let (address, rest) = url.split_once('?').map_or((url, None), |(url, rest)| (url, Some(rest)));
    let (scheme, address) = address.split_once("://").context("this is no URL")?;
    let server = address.split_once('/').map_or(address, |(server, _)| server);
    let rest = rest.map(|rest| format!("?{rest}")).unwrap_or_default();
    Ok(format!("{scheme}://{server}/{name}{rest}"))
}
