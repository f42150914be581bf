//! Where the workspace is.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, ensure};

/// The folder of the workspace that this program was built in.
pub(crate) fn root() -> anyhow::Result<PathBuf> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = own.parent().context("the folder of xtask has no parent")?;
    Ok(root.to_owned())
}

/// The given folder, or the workspace when none was given.
pub(crate) fn root_or(given: Option<PathBuf>) -> anyhow::Result<PathBuf> {
    let root = given.map_or_else(root, Ok)?;
    ensure!(root.is_dir(), "{} is not a folder", root.display());
    Ok(root)
}

/// Where cargo puts what it builds.
pub(crate) fn target(root: &Path) -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from)
}
