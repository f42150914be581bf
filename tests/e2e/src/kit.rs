//! The worker for tests, `kit-worker`: its processes, and the jobs that they are given.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use tokio::process::{Child, Command};

use crate::audit::{Audit, Standing};
use crate::koinon::PRICES;
use crate::server::Server;

/// The longest that a worker may take to refuse.
const PATIENCE: Duration = Duration::from_secs(60);

/// Everything that is needed to start the program: where it is, its folder and its settings.
#[derive(Debug, Clone)]
pub struct Kit {
    program: PathBuf,
    home: PathBuf,
    environment: BTreeMap<String, String>,
    /// How many processes were started in the folder.
    started: Arc<AtomicU32>,
}

impl Kit {
    /// The program at a path, in a folder that exists. Unless that is changed, its database and its artifacts
    /// are there too.
    #[must_use]
    pub fn new(program: impl Into<PathBuf>, home: impl Into<PathBuf>) -> Self {
        let (program, home) = (program.into(), home.into());
        std::fs::write(home.join("prices.toml"), PRICES).unwrap();
        std::fs::create_dir_all(home.join("logs")).unwrap();
        let key = ("OPENAI_API_KEY".to_owned(), "test-key-0123456789".to_owned());
        let environment = BTreeMap::from([key]);
        Self { program, home, environment, started: Arc::default() }
    }

    /// The same, with a variable of the environment.
    #[must_use]
    pub fn env(mut self, name: &str, value: impl Into<String>) -> Self {
        self.environment.insert(name.to_owned(), value.into());
        self
    }

    /// The same, with another version of the program, in the same folder.
    #[must_use]
    pub fn of_version(&self, program: impl Into<PathBuf>) -> Self {
        Self { program: program.into(), ..self.clone() }
    }

    /// The same, with this server as its provider.
    #[must_use]
    pub fn asking(self, server: &Server) -> Self {
        self.env("KOINON_PROVIDERS__OPENAI__BASE_URL", server.base_url())
    }

    /// Its folder.
    #[must_use]
    pub fn home(&self) -> &Path {
        &self.home
    }

    /// How its jobs stand in the SQLite file that it uses unless that is changed.
    pub async fn standings(&self) -> Vec<Standing> {
        let all = Audit::all_at(&self.home.join(".koinon/koinon.db")).await;
        all.into_iter().map(|audit| audit.standing).collect()
    }

    /// Submits jobs, each an object as `kit-worker submit` takes it, and with a variable of the environment.
    /// Their ids, as 32 hexadecimal digits, if that worked; what was submitted before is found when it is
    /// tried again.
    pub async fn submit(&self, jobs: &[Value], variable: (&str, &str)) -> Option<Vec<String>> {
        let number = self.started.load(Ordering::Relaxed);
        let file = self.home.join(format!("logs/{number:04}-jobs.jsonl"));
        let lines: String = jobs.iter().map(|job| format!("{job}\n")).collect();
        std::fs::write(&file, lines).unwrap();
        let file = file.to_str().unwrap();
        let mut process = self.spawn(&["submit", file], &[variable]);
        if !process.end().await.success() {
            return None;
        }
        let said = std::fs::read_to_string(&process.out).unwrap();
        let id = |line: &str| serde_json::from_str::<Value>(line).ok()?["job"].as_str().map(bare);
        Some(said.lines().map(|line| id(line).unwrap()).collect())
    }

    /// Brings the database to the schema of the program.
    pub async fn migrate(&self) -> bool {
        self.spawn(&["migrate"], &[]).child.wait().await.unwrap().success()
    }

    /// How often a text stands in what its processes have logged.
    #[must_use]
    pub fn logged(&self, text: &str) -> usize {
        let entries = std::fs::read_dir(self.home.join("logs")).unwrap();
        let paths = entries.map(|entry| entry.unwrap().path());
        let logs = paths.filter(|path| path.extension().is_some_and(|end| end == "err"));
        let count =
            |path| String::from_utf8_lossy(&std::fs::read(path).unwrap()).matches(text).count();
        logs.map(count).sum()
    }

    /// Starts a worker, with variables of the environment of its own.
    #[must_use]
    pub fn work(&self, variables: &[(&str, &str)]) -> KitWorker {
        self.spawn(&["work"], variables)
    }

    /// Starts a worker that has to refuse to work, as the documentation says: with exit code 2 and one line on
    /// standard error; the code in that line.
    pub async fn refused(&self) -> String {
        let mut worker = self.work(&[]);
        let ended = tokio::time::timeout(PATIENCE, worker.end()).await;
        let log = worker.log();
        assert_eq!(ended.ok().and_then(|status| status.code()), Some(2), "no refusal: {log}");
        let code = log.strip_prefix("error[").and_then(|rest| rest.split_once("]: "));
        let (code, says) = code.unwrap_or_else(|| panic!("no code: {log}"));
        assert_eq!(says.lines().count(), 1, "more than one line: {log}");
        code.to_owned()
    }

    /// Starts another program with the same settings, in the same folder.
    #[must_use]
    pub fn beside(&self, program: &Path, args: &[&str]) -> KitWorker {
        self.start(program, args, &[])
    }

    fn spawn(&self, args: &[&str], variables: &[(&str, &str)]) -> KitWorker {
        self.start(&self.program, &[args, &["--prices", "prices.toml"]].concat(), variables)
    }

    fn start(&self, program: &Path, args: &[&str], variables: &[(&str, &str)]) -> KitWorker {
        let number = self.started.fetch_add(1, Ordering::Relaxed);
        let log = |stream| self.home.join(format!("logs/{number:04}-{}.{stream}", args[0]));
        let (out, err) = (log("out"), log("err"));
        let mut command = Command::new(program);
        for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("KOINON_")) {
            command.env_remove(name);
        }
        command
            .args(args)
            .envs(&self.environment)
            .envs(variables.iter().copied())
            .current_dir(&self.home)
            .stdin(Stdio::null())
            .stdout(File::create(&out).unwrap())
            .stderr(File::create(&err).unwrap())
            .kill_on_drop(true);
        let child = command.spawn().unwrap();
        let pid = Pid::from_raw(i32::try_from(child.id().unwrap()).unwrap()).unwrap();
        KitWorker { child, pid, out, err, worker_id: None }
    }
}

/// A process of the program; it is killed when this value goes.
#[derive(Debug)]
pub struct KitWorker {
    child: Child,
    pid: Pid,
    out: PathBuf,
    err: PathBuf,
    worker_id: Option<String>,
}

impl KitWorker {
    /// Whose claims its claims are, as 32 hexadecimal digits, once it has said so.
    pub fn worker_id(&mut self) -> Option<&str> {
        if self.worker_id.is_none() {
            let said = std::fs::read_to_string(&self.out).unwrap();
            let line = said.split_inclusive('\n').next().filter(|line| line.ends_with('\n'))?;
            let said: Value = serde_json::from_str(line).unwrap();
            self.worker_id = said["worker_id"].as_str().map(bare);
        }
        self.worker_id.as_deref()
    }

    /// Sends it a signal; whether it was still there.
    pub fn signal(&self, signal: Signal) -> bool {
        // Until it is waited for its number is nobody else's.
        kill_process(self.pid, signal).is_ok()
    }

    /// How it ended, if it has.
    pub fn ended(&mut self) -> Option<ExitStatus> {
        self.child.try_wait().unwrap()
    }

    /// Waits for its end.
    pub async fn end(&mut self) -> ExitStatus {
        self.child.wait().await.unwrap()
    }

    /// The number of its process.
    #[must_use]
    pub fn id(&self) -> i32 {
        self.pid.as_raw_nonzero().get()
    }

    /// What it wrote to standard output.
    #[must_use]
    pub fn said(&self) -> String {
        String::from_utf8_lossy(&std::fs::read(&self.out).unwrap()).into_owned()
    }

    /// What it wrote to its log.
    #[must_use]
    pub fn log(&self) -> String {
        String::from_utf8_lossy(&std::fs::read(&self.err).unwrap()).into_owned()
    }
}

/// An id without its hyphens.
fn bare(id: &str) -> String {
    id.replace('-', "")
}
