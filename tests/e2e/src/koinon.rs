//! The program, run as a user would.

mod binary;
mod ended;
mod freeze;
mod process;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use serde_json::Value;
use tempfile::TempDir;
use tokio::process::Command;

pub use ended::Ended;
pub use process::Process;

use crate::audit::Audit;
use crate::server::Server;
use crate::store::{Place, Store};

/// The longest that a command may take that a test says nothing else about.
const PATIENCE: Duration = Duration::from_secs(90);

/// The model that the price file of a test knows.
const MODEL: &str = "test-model";

/// What it costs there.
pub(crate) const PRICES: &str = r#"id = "test-2026-01"
effective_from = "2026-01-01T00:00:00Z"
[[price]]
provider = "openai"
model = "test-model"
input_usd_per_million = "0.15"
cached_input_usd_per_million = "0.075"
output_usd_per_million = "0.60"
"#;

/// A folder of its own, in which the program runs with a database of its own.
#[derive(Debug)]
pub struct Koinon {
    home: TempDir,
    place: Place,
    environment: BTreeMap<String, String>,
    started: AtomicU32,
}

impl Koinon {
    /// An empty folder with a price file, and a database file to come.
    #[must_use]
    pub fn new() -> Self {
        Self::on(Store::Sqlite)
    }

    /// The same, on an empty database of this store.
    #[must_use]
    pub fn on(store: Store) -> Self {
        Self::at(store.place())
    }

    /// The same, on this database. One on Postgres is migrated.
    #[must_use]
    pub fn at(place: Place) -> Self {
        let home = TempDir::with_prefix("koinon-e2e-").unwrap();
        std::fs::write(home.path().join("prices.toml"), PRICES).unwrap();
        std::fs::create_dir(home.path().join("logs")).unwrap();
        let key = ("OPENAI_API_KEY".to_owned(), "test-key-0123456789".to_owned());
        let mut environment = BTreeMap::from([key]);
        let place = place.in_folder(home.path());
        if let Some(url) = place.url() {
            binary::migrate(url);
            environment.insert("KOINON_DATABASE__URL".to_owned(), url.to_owned());
        }
        Self { home, place, environment, started: AtomicU32::new(0) }
    }

    /// An empty folder with a corpus in `docs` that yields `items` items.
    #[must_use]
    pub fn with_corpus(items: usize) -> Self {
        Self::new().having_corpus(items)
    }

    /// The same, with a corpus in `docs` that yields `items` items.
    #[must_use]
    pub fn having_corpus(self, items: usize) -> Self {
        crate::corpus(&self.path("docs"), items);
        self
    }

    /// Where the database is.
    #[must_use]
    pub const fn place(&self) -> &Place {
        &self.place
    }

    /// The same, with a variable of the environment.
    #[must_use]
    pub fn env(mut self, name: &str, value: &str) -> Self {
        self.environment.insert(name.to_owned(), value.to_owned());
        self
    }

    /// Where a file of the folder is.
    #[must_use]
    pub fn path(&self, name: &str) -> PathBuf {
        self.home.path().join(name)
    }

    /// Writes a file of the folder.
    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }

    /// Where the database file is.
    #[must_use]
    pub fn database(&self) -> PathBuf {
        self.path(".koinon/koinon.db")
    }

    /// Starts the program.
    #[must_use]
    pub fn start<S: AsRef<str>>(&self, args: &[S]) -> Process {
        let args: Vec<&str> = args.iter().map(AsRef::as_ref).collect();
        let mut command = Command::new(binary::path());
        command.args(&args);
        self.spawn(command, &args.join(" "))
    }

    /// Starts the program under a shell line, in which `"$@"` is the program with its arguments.
    #[must_use]
    pub fn start_in_shell<S: AsRef<str>>(&self, line: &str, args: &[S]) -> Process {
        let args: Vec<&str> = args.iter().map(AsRef::as_ref).collect();
        let mut command = Command::new("sh");
        command.args(["-c", line, "sh"]).arg(binary::path()).args(&args);
        command.process_group(0);
        self.spawn(command, &format!("{line} {}", args.join(" "))).leading_a_group()
    }

    fn spawn(&self, mut command: Command, said: &str) -> Process {
        let number = self.started.fetch_add(1, Ordering::Relaxed);
        let log = |stream| self.path(&format!("logs/{number:03}.{stream}"));
        let (out, err) = (log("out"), log("err"));
        let own = std::env::vars().filter(|(name, _)| name.starts_with("KOINON_"));
        for (name, _) in own {
            command.env_remove(name);
        }
        command
            .envs(&self.environment)
            .current_dir(self.home.path())
            .stdin(Stdio::null())
            .stdout(std::fs::File::create(&out).unwrap())
            .stderr(std::fs::File::create(&err).unwrap())
            .kill_on_drop(true);
        Process::new(command.spawn().unwrap(), said.to_owned(), out, err)
    }

    /// Runs the program to its end.
    pub async fn run<S: AsRef<str>>(&self, args: &[S]) -> Ended {
        self.start(args).ended_within(PATIENCE).await
    }

    /// Runs the program to its end and reads the one object that it prints.
    pub async fn json<S: AsRef<str>>(&self, args: &[S]) -> Value {
        self.run(args).await.json()
    }

    /// The id of the only job of the database, as the command line takes it.
    pub async fn job(&self) -> String {
        let digits = Audit::of(self).await.standing.job;
        let parts = [0..8, 8..12, 12..16, 16..20, 20..32].map(|part| &digits[part]);
        parts.join("-")
    }

    /// The arguments that make a dataset of `docs` with this server, and more.
    #[must_use]
    pub fn dataset(server: &Server, more: &[&str]) -> Vec<String> {
        Self::dataset_of(&["docs"], server, more)
    }

    /// The arguments that make a dataset of these inputs with this server, and more.
    #[must_use]
    pub fn dataset_of(inputs: &[&str], server: &Server, more: &[&str]) -> Vec<String> {
        let base_url = server.base_url();
        let fixed =
            ["--out", "out", "--provider", "openai", "--model", MODEL, "--base-url", &base_url];
        let mut args = vec!["--json", "run", "dataset"];
        args.extend(inputs);
        args.extend(fixed);
        args.extend(["--prices", "prices.toml"]);
        args.extend(more);
        args.into_iter().map(str::to_owned).collect()
    }

    /// The files of a folder by their relative path, with their bytes.
    #[must_use]
    pub fn files(&self, folder: &str) -> BTreeMap<String, Vec<u8>> {
        let root = self.path(folder);
        let mut files = BTreeMap::new();
        let mut folders = vec![root.clone()];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(&folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else {
                    let name = path.strip_prefix(&root).unwrap().to_str().unwrap().to_owned();
                    files.insert(name, std::fs::read(&path).unwrap());
                }
            }
        }
        files
    }
}

impl Default for Koinon {
    fn default() -> Self {
        Self::new()
    }
}

impl AsRef<Path> for Koinon {
    fn as_ref(&self) -> &Path {
        self.home.path()
    }
}
