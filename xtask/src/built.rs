//! Building beside the folder of this workspace's own programs, with the dependencies that are there already.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, ensure};

use crate::process;

/// The folders of a target folder that have what cargo looks for.
const BUILT: [&str; 3] = ["deps", "build", ".fingerprint"];

/// Runs a command that builds.
pub(crate) fn build(mut command: Command) -> anyhow::Result<()> {
    ensure!(process::status(&mut command)?.success(), "the programs could not be built");
    Ok(())
}

/// Lets a build in `to` use the dependencies that were built in `from`, unless it was made before. They take
/// no space a second time. What is this workspace's own is left out: the copy builds that itself.
pub(crate) fn dependencies(from: &Path, to: &Path) -> anyhow::Result<()> {
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
