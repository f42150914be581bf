//! A PgBouncer between the tests and a cluster.

use std::ffi::OsStr;
use std::net::{TcpListener, TcpStream};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use anyhow::{Context as _, bail};
use tempfile::TempDir;

use crate::cluster::Cluster;
use crate::install;
use crate::owner::Owner;
use crate::server::USER;

/// What to install, in words that a package manager knows.
const MISSING: &str = "the tests need PgBouncer: install it (Debian, Ubuntu: `apt-get install -y pgbouncer`; \
     Fedora: `dnf install pgbouncer`; macOS: `brew install pgbouncer`)";

const ASKS: u32 = 600;
const BETWEEN_ASKS: Duration = Duration::from_millis(20);

/// Starts the pooler, and ends it when the other end of its input is closed, with its folder.
const SHELL: &str = r#"
"$1" "$2/pgbouncer.ini" >"$2/log" 2>&1 &
pooler=$!
read -r _
kill -TERM "$pooler"
wait "$pooler"
rm -rf "$2"
"#;

/// A pooler that gives each transaction to whichever of a few sessions is free. It is gone with the value
/// or with the process.
#[derive(Debug)]
pub struct Pooler {
    shell: Child,
    port: u16,
}

impl Pooler {
    /// Starts a pooler in front of a cluster.
    ///
    /// # Errors
    ///
    /// If there is no PgBouncer, or it does not start.
    pub fn start(cluster: &Cluster) -> anyhow::Result<Self> {
        let program = find().context(MISSING)?;
        let owner = Owner::of_this_process()?;
        let folder = tempfile::Builder::new().prefix("koinon-pooler-").tempdir()?;
        // Between the look for a free port and the start of the pooler somebody may take it.
        for _ in 0..3 {
            let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
            let settings = settings(cluster.port(), port);
            std::fs::write(folder.path().join("pgbouncer.ini"), settings)?;
            owner.give(folder.path())?;
            if let Some(pooler) = try_start(&program, owner, folder.path(), port)? {
                // From now on the shell takes the folder away.
                drop(TempDir::keep(folder));
                return Ok(pooler);
            }
        }
        let log = std::fs::read_to_string(folder.path().join("log")).unwrap_or_default();
        bail!("the pooler does not start; it says:\n{log}")
    }

    /// The URL of a database of the cluster, by way of the pooler.
    #[must_use]
    pub fn url(&self, database: &str) -> String {
        format!("postgres://{USER}@127.0.0.1:{}/{database}", self.port)
    }
}

impl Drop for Pooler {
    fn drop(&mut self) {
        drop(self.shell.stdin.take());
        drop(self.shell.wait());
    }
}

fn settings(server: u16, port: u16) -> String {
    format!(
        "[databases]\n\
         * = host=127.0.0.1 port={server} user={USER}\n\
         [pgbouncer]\n\
         listen_addr = 127.0.0.1\n\
         listen_port = {port}\n\
         unix_socket_dir =\n\
         auth_type = any\n\
         pool_mode = transaction\n\
         default_pool_size = 4\n\
         max_client_conn = 200\n"
    )
}

fn try_start(
    program: &Path,
    owner: Owner,
    folder: &Path,
    port: u16,
) -> anyhow::Result<Option<Pooler>> {
    let mut shell = Command::new("/bin/sh");
    shell.args(["-c", SHELL, "sh"]).arg(program).arg(folder).current_dir("/");
    // A Ctrl-C is for the tests; their end is what ends the pooler.
    shell.process_group(0).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    let shell = owner.run(&mut shell).spawn().context("cannot start a shell")?;
    let mut pooler = Pooler { shell, port };
    for _ in 0..ASKS {
        if TcpStream::connect(("127.0.0.1", port)).is_ok() {
            return Ok(Some(pooler));
        }
        let log = std::fs::read_to_string(folder.join("log")).unwrap_or_default();
        if log.contains("FATAL") || pooler.shell.try_wait()?.is_some() {
            break;
        }
        std::thread::sleep(BETWEEN_ASKS);
    }
    // It must not take the folder along: the next try needs it.
    drop(pooler.shell.kill());
    Ok(None)
}

fn find() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let beside = [OsStr::new("/usr/sbin"), OsStr::new("/usr/local/sbin")].map(PathBuf::from);
    std::env::split_paths(&path)
        .chain(beside)
        .map(|folder| folder.join("pgbouncer"))
        .find(|program| program.is_file())
}

/// Installs PgBouncer where that is one command of an administrator, and else says what to do.
///
/// # Errors
///
/// If it is still missing afterwards.
pub fn install_pooler() -> anyhow::Result<()> {
    if find().is_none() {
        install::package("pgbouncer", MISSING)?;
    }
    find().map(drop).context(MISSING)
}
