//! Installing what the tests need, where that is one command of an administrator.

use std::path::Path;
use std::process::Command;

use anyhow::{bail, ensure};

/// Installs a package of Debian; `missing` says what to do where that cannot be done.
pub(crate) fn package(name: &str, missing: &str) -> anyhow::Result<()> {
    let apt = Path::new("/usr/bin/apt-get");
    if !apt.is_file() || !crate::owner::is_root() {
        bail!("{missing}");
    }
    for args in [&["update"][..], &["install", "-y", name][..]] {
        let mut command = Command::new(apt);
        let status = command.args(args).env("DEBIAN_FRONTEND", "noninteractive").status()?;
        ensure!(status.success(), "`apt-get {}` failed; {missing}", args.join(" "));
    }
    Ok(())
}
