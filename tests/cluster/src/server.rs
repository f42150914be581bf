//! One running server, and the shell that ends it.

use std::net::TcpListener;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use anyhow::{Context as _, bail, ensure};
use tempfile::TempDir;

use crate::owner::Owner;
use crate::programs::Programs;

/// The name of the administrator of every cluster.
pub(crate) const USER: &str = "koinon";

/// So often a server is asked whether it is ready.
const ASKS: u32 = 600;
const BETWEEN_ASKS: Duration = Duration::from_millis(50);

/// Starts the server, waits until the other end of its input is closed, and takes all away. It gets an
/// end of file whatever ends the process that started it. A server that was started again meanwhile is no
/// child of the shell, so its process is found in its own file.
const SHELL: &str = r#"
folder=$2
port=$3
program=$1
shift 3
"$program" -D "$folder/data" -k '' -p "$port" -c listen_addresses=127.0.0.1 "$@" \
    -c max_connections=200 -c shared_buffers=64MB -c max_wal_size=4GB >"$folder/log" 2>&1 &
read -r _
server=$(head -n 1 "$folder/data/postmaster.pid")
[ -n "$server" ] && kill -QUIT "$server"
wait
while [ -n "$server" ] && kill -0 "$server" 2>/dev/null; do sleep 0.05; done
rm -rf "$folder"
"#;

/// What a server keeps when it ends all at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Durability {
    /// Nothing that matters: it is quick.
    None,
    /// Every transaction that was committed, as a server in earnest does.
    Full,
}

impl Durability {
    const fn options(self) -> &'static [&'static str] {
        match self {
            Self::None => {
                &["-c", "fsync=off", "-c", "synchronous_commit=off", "-c", "full_page_writes=off"]
            }
            Self::Full => &[],
        }
    }
}

/// A running server; it ends with this value or with the process.
#[derive(Debug)]
pub(crate) struct Server {
    shell: Child,
    port: u16,
    owner: Owner,
    folder: PathBuf,
}

impl Server {
    pub(crate) fn start(programs: &Programs, durability: Durability) -> anyhow::Result<Self> {
        let owner = Owner::of_this_process()?;
        let folder = tempfile::Builder::new().prefix("koinon-postgres-").tempdir()?;
        owner.give(folder.path())?;
        init(programs, owner, folder.path())?;
        // Between the look for a free port and the start of the server somebody may take it.
        for _ in 0..3 {
            if let Some(server) = try_start(programs, owner, folder.path(), durability)? {
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

    /// Ends the server as a crash does, and starts it again; it answers again when this returns.
    pub(crate) fn restart_immediately(&self, programs: &Programs) -> anyhow::Result<()> {
        let mut restart = programs.command("pg_ctl");
        restart.args(["restart", "-m", "immediate", "-w", "-t", "60", "-s", "-D"]);
        restart.arg(self.folder.join("data")).arg("-l").arg(self.folder.join("log"));
        // The server inherits them, so a pipe would stay open as long as it runs.
        restart.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        restart.current_dir("/").process_group(0);
        let status = self.owner.run(&mut restart).status().context("cannot run pg_ctl")?;
        let log = || std::fs::read_to_string(self.folder.join("log")).unwrap_or_default();
        ensure!(status.success(), "the server did not start again; it says:\n{}", log());
        Ok(())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.shell.stdin.take());
        drop(self.shell.wait());
    }
}

fn init(programs: &Programs, owner: Owner, folder: &Path) -> anyhow::Result<()> {
    let mut initdb = programs.command("initdb");
    initdb.args(["--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync"]);
    initdb.arg(format!("--username={USER}")).arg("-D").arg(folder.join("data"));
    let made = owner.run(initdb.current_dir(folder)).output().context("cannot run initdb")?;
    ensure!(made.status.success(), "initdb failed: {}", String::from_utf8_lossy(&made.stderr));
    Ok(())
}

fn try_start(
    programs: &Programs,
    owner: Owner,
    folder: &Path,
    durability: Durability,
) -> anyhow::Result<Option<Server>> {
    let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
    let mut shell = Command::new("/bin/sh");
    shell.args(["-c", SHELL, "sh"]).arg(programs.path("postgres")).arg(folder);
    shell.arg(port.to_string()).args(durability.options()).current_dir("/");
    // A Ctrl-C is for the tests; their end is what ends the server.
    shell.process_group(0).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    let shell = owner.run(&mut shell).spawn().context("cannot start a shell")?;
    let mut server = Server { shell, port, owner, folder: folder.to_owned() };
    for _ in 0..ASKS {
        if psql(programs, port, "postgres", "SELECT 1").is_ok() {
            return Ok(Some(server));
        }
        let has_data = folder.join("data").join("postmaster.pid").exists();
        let has_log = std::fs::read_to_string(folder.join("log")).unwrap_or_default();
        if !has_data && has_log.contains("FATAL") {
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
