//! A copy of the source to plant a fault in, and the dependencies that were built already.

use std::collections::BTreeSet;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use ignore::WalkBuilder;

use super::plant::Edited;

/// Makes `to` the same as the source at `root`, but for the edits. What is the same already stays untouched,
/// so that it is not built again.
pub(super) fn source(root: &Path, to: &Path, edits: &[Edited]) -> anyhow::Result<()> {
    let mut kept = BTreeSet::new();
    for path in files(root)? {
        let edited = edits.iter().find(|edited| Path::new(edited.path) == path);
        let bytes = match edited {
            Some(edited) => edited.text.clone().into_bytes(),
            None => fs::read(root.join(&path))
                .with_context(|| format!("cannot read {}", path.display()))?,
        };
        write(&to.join(&path), &bytes)?;
        kept.insert(path);
    }
    for path in files(to)?.into_iter().filter(|path| !kept.contains(path)) {
        // The lock file of a checkout that keeps none is made by the build.
        if path != Path::new("Cargo.lock") {
            fs::remove_file(to.join(path))?;
        }
    }
    Ok(())
}

/// The files that belong to a tree, by their path below it.
fn files(root: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    if !root.exists() {
        return Ok(files);
    }
    let walk = WalkBuilder::new(root)
        .hidden(false)
        .parents(false)
        .ignore(false)
        .git_global(false)
        .require_git(false)
        .filter_entry(|entry| entry.file_name() != ".git")
        .build();
    for entry in walk {
        let entry = entry.with_context(|| format!("cannot list {}", root.display()))?;
        if entry.file_type().is_some_and(|kind| kind.is_file()) {
            files.push(entry.path().strip_prefix(root)?.to_owned());
        }
    }
    Ok(files)
}

fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    if fs::read(path).is_ok_and(|present| present == bytes) {
        return Ok(());
    }
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(path, bytes).with_context(|| format!("cannot write {}", path.display()))
}

/// The folders of a target folder that have what cargo looks for.
const BUILT: [&str; 3] = ["deps", "build", ".fingerprint"];

/// Lets a build in `to` use the dependencies that were built in `from`, unless it was made before. They take
/// no space a second time. What is this workspace's own is left out: the copy builds that itself.
pub(super) fn dependencies(from: &Path, to: &Path) -> anyhow::Result<()> {
    if to.exists() {
        return Ok(());
    }
    for folder in BUILT {
        let inside = from.join(folder);
        let entries =
            fs::read_dir(&inside).with_context(|| format!("cannot list {}", inside.display()))?;
        fs::create_dir_all(to.join(folder))?;
        for entry in entries {
            let name = entry?.file_name();
            if !is_own(&name.to_string_lossy()) {
                link(&inside.join(&name), &to.join(folder).join(&name))?;
            }
        }
    }
    Ok(())
}

/// Whether a file or folder belongs to a package of this workspace.
fn is_own(name: &str) -> bool {
    let name = name.strip_prefix("lib").unwrap_or(name);
    ["koinon", "xtask", "kit_worker", "kit-worker", "chaos"].iter().any(|own| name.starts_with(own))
}

/// Links a file, or all files of a folder.
fn link(from: &Path, to: &Path) -> anyhow::Result<()> {
    if !from.is_dir() {
        return match fs::hard_link(from, to) {
            // Another build has just taken it away.
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
            // Where it cannot be linked it is built once more.
            linked => linked.with_context(|| format!("cannot link {}", to.display())),
        };
    }
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let name = entry?.file_name();
        link(&from.join(&name), &to.join(&name))?;
    }
    Ok(())
}
