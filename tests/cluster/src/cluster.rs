//! The cluster that tests share.

use std::fs::File;
use std::path::Path;
use std::sync::OnceLock;
use std::time::Duration;

use anyhow::{Context as _, bail, ensure};

use crate::database::Database;
use crate::programs::Programs;
use crate::server::{self, Server};
use crate::setup::Setup;

/// Names the port of a cluster that the tests are to use instead of one of their own.
const PORT: &str = "KOINON_TEST_POSTGRES_PORT";

/// What is told where a database cannot be written out.
const NO_DUMP: &str = "cannot run pg_dump, which comes with the client programs of Postgres \
     (Debian, Ubuntu: `apt-get install -y postgresql-client`)";

/// A Postgres of one's own.
#[derive(Debug)]
pub struct Cluster {
    programs: Programs,
    port: u16,
    server: Option<Server>,
}

impl Cluster {
    /// The cluster that all tests of a run share: the one that the test command started, else one of this
    /// process.
    ///
    /// # Errors
    ///
    /// If there are no programs of Postgres, or the server does not start. Tests end by it: a store that
    /// cannot be tested has not passed.
    pub fn shared() -> anyhow::Result<&'static Self> {
        static SHARED: OnceLock<anyhow::Result<Cluster>> = OnceLock::new();
        let shared = SHARED.get_or_init(|| match std::env::var(PORT) {
            Ok(port) => {
                let port = port.parse().with_context(|| format!("{PORT} is no port"))?;
                Ok(Self { programs: Programs::find()?, port, server: None })
            }
            Err(_) => Self::start(),
        });
        shared.as_ref().map_err(|error| anyhow::anyhow!("{error:#}"))
    }

    /// A cluster that ends with the value, or with the process.
    ///
    /// # Errors
    ///
    /// As [`Cluster::shared`].
    pub fn start() -> anyhow::Result<Self> {
        Self::start_as(Setup::default())
    }

    /// The same, of a server that loses nothing when it is [restarted](Self::restart_immediately).
    ///
    /// # Errors
    ///
    /// As [`Cluster::shared`].
    pub fn start_durable() -> anyhow::Result<Self> {
        Self::start_as(Setup::lasting())
    }

    /// The same, of another kind.
    ///
    /// # Errors
    ///
    /// As [`Cluster::shared`], and if the machine lacks what that kind needs.
    pub fn start_as(setup: Setup) -> anyhow::Result<Self> {
        let programs = Programs::find()?;
        let server = Server::start(&programs, &setup)?;
        Ok(Self { programs, port: server.port(), server: Some(server) })
    }

    /// The port that it listens on, on the loopback interface.
    #[must_use]
    pub const fn port(&self) -> u16 {
        self.port
    }

    /// Ends the server all at once, as `pg_ctl restart -m immediate` does, and starts it again; it answers
    /// again when this returns.
    ///
    /// # Errors
    ///
    /// If it is not this value's own server, or does not start again.
    pub fn restart_immediately(&self) -> anyhow::Result<()> {
        self.stop_at_once()?;
        self.start_again()
    }

    /// Ends the server at once, as a crash does: nothing is finished, and every connection breaks.
    ///
    /// # Errors
    ///
    /// If the cluster is not one of this process.
    pub fn stop_at_once(&self) -> anyhow::Result<()> {
        self.own()?.tell("stop")
    }

    /// Starts the server again, and waits until it answers.
    ///
    /// # Errors
    ///
    /// If it does not.
    pub fn start_again(&self) -> anyhow::Result<()> {
        self.own()?.tell("start")?;
        self.until_ready()
    }

    /// Leaves no space on the disk of the server.
    ///
    /// # Errors
    ///
    /// If the cluster is not one of this process.
    pub fn fill_disk(&self) -> anyhow::Result<()> {
        self.own()?.tell("fill")
    }

    /// Makes space again.
    ///
    /// # Errors
    ///
    /// If the cluster is not one of this process.
    pub fn free_disk(&self) -> anyhow::Result<()> {
        self.own()?.tell("free")
    }

    fn own(&self) -> anyhow::Result<&Server> {
        self.server.as_ref().context("the cluster is another process's")
    }

    fn until_ready(&self) -> anyhow::Result<()> {
        let mut last = String::new();
        for _ in 0..600 {
            match self.run("postgres", "SELECT 1") {
                Ok(_) => return Ok(()),
                Err(error) => last = format!("{error:#}"),
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        bail!("the server does not answer: {last}")
    }

    /// What a command has in its environment so that the tests below it use this cluster.
    #[must_use]
    pub fn env(&self) -> (&'static str, String) {
        (PORT, self.port.to_string())
    }

    /// The URL of a database.
    #[must_use]
    pub fn url(&self, database: &str) -> String {
        format!("postgres://{}@127.0.0.1:{}/{database}", server::USER, self.port)
    }

    /// A new, empty database.
    ///
    /// # Errors
    ///
    /// If the server refuses it.
    pub fn empty(&'static self) -> anyhow::Result<Database> {
        Database::create(self, "template0")
    }

    /// A new database that is a copy of another.
    ///
    /// # Errors
    ///
    /// If the server refuses it.
    pub fn copy(&'static self, template: &str) -> anyhow::Result<Database> {
        Database::create(self, template)
    }

    /// Whether there is a database of this name.
    ///
    /// # Errors
    ///
    /// If the server cannot be asked.
    pub fn has(&self, database: &str) -> anyhow::Result<bool> {
        let asked = format!("SELECT count(*) FROM pg_database WHERE datname = '{database}'");
        Ok(self.run("postgres", &asked)? == "1")
    }

    /// Gives a database another name and keeps it.
    ///
    /// # Errors
    ///
    /// If the server refuses it.
    pub fn keep_as(&self, database: Database, name: &str) -> anyhow::Result<()> {
        self.run("postgres", &format!("ALTER DATABASE {} RENAME TO {name}", database.name()))?;
        database.keep();
        Ok(())
    }

    /// Keeps other processes that ask for the same out, until the answer is dropped.
    ///
    /// # Errors
    ///
    /// If the file of the lock cannot be made.
    pub fn lock(&self) -> anyhow::Result<File> {
        let path = Path::new(&self.run("postgres", "SHOW data_directory")?).join("tests.lock");
        let file =
            File::create(&path).with_context(|| format!("cannot make {}", path.display()))?;
        file.lock()?;
        Ok(file)
    }

    /// The schema of a database, as `pg_dump` writes it.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    pub fn schema(&self, database: &str) -> anyhow::Result<String> {
        let mut dump = self.programs.command("pg_dump");
        dump.args(["--schema-only", "--no-owner", "--no-privileges"]).arg(self.url(database));
        let answer = dump.output().context(NO_DUMP)?;
        ensure!(answer.status.success(), "{}", String::from_utf8_lossy(&answer.stderr));
        Ok(String::from_utf8_lossy(&answer.stdout).into_owned())
    }

    /// Writes the statements that make a database again, with all of its rows, to a file.
    ///
    /// # Errors
    ///
    /// If it cannot be read, or the file not be written.
    pub fn dump(&self, database: &str, file: &Path) -> anyhow::Result<()> {
        let mut dump = self.programs.command("pg_dump");
        dump.args(["--no-owner", "--no-privileges", "--file"]).arg(file).arg(self.url(database));
        let answer = dump.output().context(NO_DUMP)?;
        ensure!(answer.status.success(), "{}", String::from_utf8_lossy(&answer.stderr));
        Ok(())
    }

    /// Everything that the server has logged.
    ///
    /// # Errors
    ///
    /// If its log cannot be read.
    pub fn log(&self) -> anyhow::Result<String> {
        let path = Path::new(&self.run("postgres", "SHOW data_directory")?).with_file_name("log");
        std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))
    }

    /// Runs a statement as the administrator, and answers what it says.
    ///
    /// # Errors
    ///
    /// If the server refuses it.
    pub fn run(&self, database: &str, statement: &str) -> anyhow::Result<String> {
        server::psql(&self.programs, self.port, database, statement)
    }
}
