//! A copy of the source to plant a fault in.

use std::collections::BTreeSet;
use std::fs;
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
