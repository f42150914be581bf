//! Where the programs of Postgres are.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, ensure};

/// What to install, in words that a package manager knows.
const MISSING: &str = "the tests need the programs of Postgres 15 or later (initdb, postgres, psql): install them \
     (Debian, Ubuntu: `apt-get install -y postgresql`; Fedora: `dnf install postgresql-server`; \
     macOS: `brew install postgresql@15`), or name their folder in PG_BIN";

/// The folder with `initdb`, `postgres` and `psql`.
#[derive(Debug, Clone)]
pub struct Programs {
    folder: PathBuf,
}

impl Programs {
    /// Looks where `PG_BIN` says, beside `pg_config`, and where distributions put them.
    ///
    /// # Errors
    ///
    /// Says what to install if they are nowhere.
    pub fn find() -> anyhow::Result<Self> {
        let is_whole = |folder: &PathBuf| {
            ["initdb", "postgres", "psql"].iter().all(|name| folder.join(name).is_file())
        };
        let folder = candidates().into_iter().find(is_whole).context(MISSING)?;
        Ok(Self { folder })
    }

    /// A command that runs one of them.
    #[must_use]
    pub fn command(&self, name: &str) -> Command {
        Command::new(self.path(name))
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }
}

fn candidates() -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> =
        std::env::var_os("PG_BIN").map(PathBuf::from).into_iter().collect();
    if let Ok(answer) = Command::new("pg_config").arg("--bindir").output() {
        folders.push(PathBuf::from(String::from_utf8_lossy(&answer.stdout).trim()));
    }
    for (parent, begin) in [
        ("/usr/lib/postgresql", ""),
        ("/usr", "pgsql-"),
        ("/opt/homebrew/opt", "postgresql@"),
        ("/usr/local/opt", "postgresql@"),
    ] {
        folders
            .extend(newest_first(Path::new(parent), begin).into_iter().map(|one| one.join("bin")));
    }
    folders.extend(["/usr/bin", "/usr/local/pgsql/bin"].map(PathBuf::from));
    folders
}

/// The folders of versions below a folder, the highest version first.
fn newest_first(parent: &Path, begin: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(parent).into_iter().flatten().flatten();
    let version = |path: &PathBuf| -> Option<u32> {
        path.file_name().and_then(OsStr::to_str)?.strip_prefix(begin)?.parse().ok()
    };
    let mut found: Vec<PathBuf> =
        entries.map(|entry| entry.path()).filter(|path| version(path).is_some()).collect();
    found.sort_by_key(|path| std::cmp::Reverse(version(path)));
    found
}

/// Installs the programs where that is one command of an administrator, and else says what to do.
///
/// # Errors
///
/// If they are still missing afterwards.
pub fn install() -> anyhow::Result<Programs> {
    if let Ok(programs) = Programs::find() {
        return Ok(programs);
    }
    crate::install::package("postgresql", MISSING)?;
    Programs::find()
}

/// Sees to it that `faketime` is there, which lets a program see another time of day: installs it where that
/// is one command of an administrator.
///
/// # Errors
///
/// Says what to install if it is still missing afterwards.
pub fn need_faketime() -> anyhow::Result<()> {
    let is_there = || Command::new("faketime").arg("--version").output().is_ok();
    if is_there() {
        return Ok(());
    }
    let missing = "the tests need `faketime`: install it (Debian, Ubuntu: `apt-get install -y faketime`; \
                   Fedora: `dnf install libfaketime`)";
    crate::install::package("faketime", missing)?;
    ensure!(is_there(), "{missing}");
    Ok(())
}
