//! One running server, and the shell that ends it.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context as _, bail, ensure};
use tempfile::TempDir;

use crate::owner::Owner;
use crate::programs::Programs;
use crate::setup::Setup;

/// The name of the administrator of every cluster.
pub(crate) const USER: &str = "koinon";

/// So often a server is asked whether it is ready.
const ASKS: u32 = 600;
const BETWEEN_ASKS: Duration = Duration::from_millis(50);

/// Starts the server, does what its input says, one word a line, until the other end of that is closed, and
/// takes all away. It gets an end of file whatever ends the process that started it.
const SHELL: &str = include_str!("server.sh");

/// A running server; it ends with this value or with the process.
#[derive(Debug)]
pub(crate) struct Server {
    shell: Child,
    words: Mutex<Option<(ChildStdin, BufReader<ChildStdout>)>>,
    port: u16,
}

impl Server {
    pub(crate) fn start(programs: &Programs, setup: &Setup) -> anyhow::Result<Self> {
        let owner = Owner::of_this_process()?;
        let folder = tempfile::Builder::new().prefix("koinon-postgres-").tempdir()?;
        owner.give(folder.path())?;
        init(programs, owner, folder.path(), setup)?;
        // Between the look for a free port and the start of the server somebody may take it.
        for _ in 0..3 {
            if let Some(server) = try_start(programs, owner, folder.path(), setup)? {
                // From now on the shell takes the folder away.
                drop(TempDir::keep(folder));
                return Ok(server);
            }
        }
        let log = std::fs::read_to_string(folder.path().join("log")).unwrap_or_default();
        bail!("the server does not start; it says:\n{log}")
    }

    pub(crate) const fn port(&self) -> u16 {
        self.port
    }

    /// Tells the shell a word, and waits until it has done that.
    pub(crate) fn tell(&self, word: &str) -> anyhow::Result<()> {
        let mut words = self.words.lock().unwrap_or_else(PoisonError::into_inner);
        let (input, output) = words.as_mut().context("the shell has ended")?;
        writeln!(input, "{word}")?;
        let mut said = String::new();
        output.read_line(&mut said)?;
        ensure!(said.trim() == word, "the shell of the server says {said:?} to {word:?}");
        Ok(())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.words.lock().unwrap_or_else(PoisonError::into_inner).take();
        drop(self.shell.wait());
    }
}

fn init(programs: &Programs, owner: Owner, folder: &Path, setup: &Setup) -> anyhow::Result<()> {
    let mut initdb = programs.command("initdb");
    initdb.args(["--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync"]);
    initdb.args(setup.init_options(folder));
    initdb.arg(format!("--username={USER}")).arg("-D").arg(folder.join("data"));
    let made = owner.run(initdb.current_dir(folder)).output().context("cannot run initdb")?;
    ensure!(made.status.success(), "initdb failed: {}", String::from_utf8_lossy(&made.stderr));
    Ok(())
}

fn try_start(
    programs: &Programs,
    owner: Owner,
    folder: &Path,
    setup: &Setup,
) -> anyhow::Result<Option<Server>> {
    let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
    let mut shell = setup.shell(owner, SHELL, folder)?;
    shell.arg(programs.path("postgres")).arg(folder).arg(port.to_string());
    shell.args(setup.options()).current_dir("/");
    // A Ctrl-C is for the tests; their end is what ends the server.
    shell.process_group(0).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut shell = shell.spawn().context("cannot start a shell")?;
    let input = shell.stdin.take().context("a shell without an input")?;
    let output = BufReader::new(shell.stdout.take().context("a shell without an output")?);
    let words = Mutex::new(Some((input, output)));
    let mut server = Server { shell, words, port };
    for _ in 0..ASKS {
        if psql(programs, port, "postgres", "SELECT 1").is_ok() {
            return Ok(Some(server));
        }
        if let Some(status) = server.shell.try_wait()? {
            bail!("the shell of the server ended with {status}; {}", setup.needs());
        }
        let log = std::fs::read_to_string(folder.join("log")).unwrap_or_default();
        if log.contains("could not create any TCP/IP sockets") {
            break;
        }
        std::thread::sleep(BETWEEN_ASKS);
    }
    // It must not take the folder along: the next try needs it.
    drop(server.shell.kill());
    Ok(None)
}

/// Runs a statement as the administrator, and answers what it says.
pub(crate) fn psql(
    programs: &Programs,
    port: u16,
    database: &str,
    statement: &str,
) -> anyhow::Result<String> {
    let mut psql = programs.command("psql");
    psql.args(["--no-psqlrc", "--quiet", "--tuples-only", "--no-align"]);
    psql.args(["--set=ON_ERROR_STOP=1", "--host=127.0.0.1", "--no-password"]);
    psql.arg(format!("--port={port}")).arg(format!("--username={USER}"));
    psql.arg(format!("--dbname={database}")).args(["--command", statement]);
    let answer = psql.output().context("cannot run psql")?;
    ensure!(answer.status.success(), "{}", String::from_utf8_lossy(&answer.stderr));
    Ok(String::from_utf8_lossy(&answer.stdout).trim().to_owned())
}
