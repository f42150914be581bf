//! The programs that are measured, and that measure.

use std::path::{Path, PathBuf};

use anyhow::ensure;

use crate::process;

/// Where the programs of this checkout are, built for release.
#[derive(Debug)]
pub(crate) struct Programs {
    pub(crate) bench: PathBuf,
    pub(crate) koinon: PathBuf,
    pub(crate) worker: PathBuf,
}

impl Programs {
    /// Builds these packages.
    pub(crate) fn build(root: &Path, packages: &[&str]) -> anyhow::Result<Self> {
        let mut build = process::cargo(root, ["build", "--release"]);
        build.args(packages.iter().flat_map(|package| ["--package", package]));
        ensure!(process::status(&mut build)?.success(), "the programs could not be built");
        let target =
            std::env::var_os("CARGO_TARGET_DIR").map_or(root.join("target"), PathBuf::from);
        let release = target.join("release");
        Ok(Self {
            bench: release.join("koinon-bench"),
            koinon: release.join("koinon"),
            worker: release.join("koinon-worker"),
        })
    }
}
