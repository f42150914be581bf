//! Two versions of the programs side by side: those of this checkout, and a worker of the history whose schema is
//! older, for whoever tries an upgrade.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, ensure};

use crate::built::{self, build};
use crate::{process, workspace};

/// Where the migrations of one kind of database are; those of the others have the same names.
const MIGRATIONS: &str = "migrations/sqlite";

/// The programs of this checkout.
#[derive(Debug, Clone)]
pub struct Current {
    /// The worker for tests.
    pub worker: PathBuf,
    /// The command line.
    pub koinon: PathBuf,
}

impl Current {
    /// Builds them.
    ///
    /// # Errors
    ///
    /// If they cannot be built.
    pub fn build() -> anyhow::Result<Self> {
        let root = workspace::root()?;
        build(process::cargo(&root, ["build", "--bin", "koinon", "--bin", "kit-worker"]))?;
        let debug = workspace::target(&root).join("debug");
        Ok(Self { worker: debug.join("kit-worker"), koinon: debug.join("koinon") })
    }
}

/// The worker for tests as it was when the schema was older.
#[derive(Debug, Clone)]
pub struct Older {
    /// The commit that it was built from.
    pub commit: String,
    /// The worker for tests.
    pub worker: PathBuf,
}

impl Older {
    /// Builds it below `target/upgrade`, from the commit that is given, else from the newest whose newest migration
    /// is older than that of this checkout.
    ///
    /// # Errors
    ///
    /// If the history has no such commit, or it cannot be built.
    pub fn build(from: Option<&str>) -> anyhow::Result<Self> {
        let root = workspace::root()?;
        let commit = match from {
            Some(from) => named(&root, from)?,
            None => of_older_schema(&root)?,
        };
        let (theirs, ours) = (migrations_of(&root, &commit)?, migrations(&root.join(MIGRATIONS))?);
        ensure!(
            newest(&theirs)? < newest(&ours)?,
            "{commit} has the schema of this checkout, so there is nothing to upgrade; name an older commit"
        );
        let worker = worker_of(&commit, &root, &workspace::target(&root))?;
        Ok(Self { commit, worker })
    }
}

/// Builds the worker of a commit.
fn worker_of(commit: &str, root: &Path, target: &Path) -> anyhow::Result<PathBuf> {
    let folder = target.join("upgrade");
    let (source, built) = (folder.join("source"), folder.join("target"));
    std::fs::create_dir_all(&source)?;
    // Only what differs from the commit of the last time is written, so that only that is built again.
    let mut checkout = git(root, &["read-tree", "--reset", "-u", commit]);
    checkout.env("GIT_WORK_TREE", &source).env("GIT_INDEX_FILE", folder.join("index"));
    said(&mut checkout)?;
    built::dependencies(&target.join("debug"), &built.join("debug"))?;
    let mut command = process::cargo(&source, ["build", "--bin", "kit-worker"]);
    command.env("CARGO_TARGET_DIR", &built);
    build(command).with_context(|| format!("{commit} does not build"))?;
    Ok(built.join("debug").join("kit-worker"))
}

/// The commit that somebody names.
fn named(root: &Path, name: &str) -> anyhow::Result<String> {
    let commit = format!("{name}^{{commit}}");
    said(&mut git(root, &["rev-parse", "--verify", "--end-of-options", &commit]))
        .with_context(|| format!("no commit of this repository is called {name}"))
}

/// The newest commit that lacks the newest migration of this checkout.
fn of_older_schema(root: &Path) -> anyhow::Result<String> {
    let newest = format!("{MIGRATIONS}/{}", newest(&migrations(&root.join(MIGRATIONS))?)?);
    let added = ["log", "--max-count=1", "--diff-filter=A", "--format=%H", "--", &newest];
    let added = said(&mut git(root, &added))?;
    if added.is_empty() {
        // It is not committed yet.
        return named(root, "HEAD");
    }
    named(root, &format!("{added}~"))
        .context("the history goes no further back; fetch all of it, or name a commit")
}

/// The names of the files that are beside the migrations of this checkout.
fn migrations(folder: &Path) -> anyhow::Result<Vec<String>> {
    std::fs::read_dir(folder)
        .with_context(|| format!("cannot list {}", folder.display()))?
        .map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()))
        .collect()
}

/// The same of a commit.
fn migrations_of(root: &Path, commit: &str) -> anyhow::Result<Vec<String>> {
    let folder = format!("{commit}:{MIGRATIONS}");
    let listed = said(&mut git(root, &["ls-tree", "--name-only", &folder]))?;
    Ok(listed.lines().map(str::to_owned).collect())
}

/// The name of the newest migration.
fn newest(names: &[String]) -> anyhow::Result<&str> {
    let is_numbered = |name: &&String| name.starts_with(|one: char| one.is_ascii_digit());
    let newest = names.iter().filter(is_numbered).max();
    Ok(newest.with_context(|| format!("{MIGRATIONS} has no migration"))?)
}

fn git(root: &Path, args: &[&str]) -> Command {
    let mut command = Command::new("git");
    command.current_dir(root).args(args);
    command
}

/// What a command says when it works.
fn said(command: &mut Command) -> anyhow::Result<String> {
    let spelled = process::spelled(command);
    let done = command.output().with_context(|| format!("cannot run `{spelled}`"))?;
    let complaint = String::from_utf8_lossy(&done.stderr);
    ensure!(done.status.success(), "`{spelled}` failed: {}", complaint.trim());
    Ok(String::from_utf8_lossy(&done.stdout).trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_migration_is_that_of_the_highest_number() {
        let names = ["schema.sql", "0002_checkpoints.sql", "0010_retention.sql", "0001_jobs.sql"];
        assert_eq!(newest(&names.map(str::to_owned)).unwrap(), "0010_retention.sql");
        assert!(newest(&["schema.sql".to_owned()]).is_err());
    }

    #[test]
    fn the_migrations_of_this_checkout_are_found() {
        let folder = workspace::root().unwrap().join(MIGRATIONS);
        assert!(newest(&migrations(&folder).unwrap()).unwrap().ends_with(".sql"));
    }
}
