//! How a cluster differs from the one that tests share.

use std::ffi::OsString;
use std::path::Path;
use std::process::Command;

use anyhow::ensure;

use crate::owner::{self, Owner};

/// What every server is told.
const ALWAYS: [&str; 3] = ["max_connections=200", "shared_buffers=64MB", "max_wal_size=4GB"];

/// What makes a server quick that need not keep anything.
const QUICK: [&str; 3] = ["fsync=off", "synchronous_commit=off", "full_page_writes=off"];

/// What a server on a small disk is told beside that.
const SMALL: [&str; 3] = ["max_wal_size=8MB", "min_wal_size=2MB", "shared_buffers=16MB"];

/// What a server is told whose speed is measured: it has the memory of one in earnest, and begins no checkpoint
/// by itself in the middle of a measurement.
const MEASURED: [&str; 4] =
    ["shared_buffers=1GB", "jit=off", "max_wal_size=16GB", "checkpoint_timeout=1h"];

/// What the disk of a cluster holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Disk {
    /// The tables; the log of changes stands elsewhere.
    Tables,
    /// Everything.
    Everything,
}

/// What kind of cluster to start.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Setup {
    is_lasting: bool,
    is_measured: bool,
    disk: Option<(Disk, u32)>,
}

impl Setup {
    /// A server whose commits are there after it was stopped at once.
    #[must_use]
    pub const fn lasting() -> Self {
        Self { is_lasting: true, is_measured: false, disk: None }
    }

    /// The same, whose speed can be measured.
    #[must_use]
    pub const fn measured() -> Self {
        Self { is_lasting: true, is_measured: true, disk: None }
    }

    /// The same, on a disk of its own with so many megabytes. It is mounted where nobody else sees it, so the
    /// caller must be root, or may mount for another reason.
    #[must_use]
    pub const fn on_disk(disk: Disk, megabytes: u32) -> Self {
        Self { is_lasting: true, is_measured: false, disk: Some((disk, megabytes)) }
    }

    pub(crate) fn init_options(&self, folder: &Path) -> Vec<OsString> {
        let Some((disk, _)) = self.disk else { return Vec::new() };
        let mut options = vec![OsString::from("--wal-segsize=1")];
        if disk == Disk::Tables {
            options.extend(["--waldir".into(), folder.join("wal").into_os_string()]);
        }
        options
    }

    pub(crate) fn options(&self) -> Vec<String> {
        let mut settings = ALWAYS.to_vec();
        if !self.is_lasting {
            settings.extend(QUICK);
        }
        if self.is_measured {
            settings.extend(MEASURED);
        }
        if self.disk.is_some() {
            settings.extend(SMALL);
        }
        settings.into_iter().flat_map(|one| ["-c".to_owned(), one.to_owned()]).collect()
    }

    /// A shell that runs a script as the owner; its arguments follow.
    pub(crate) fn shell(
        &self,
        owner: Owner,
        script: &str,
        folder: &Path,
    ) -> anyhow::Result<Command> {
        let Some((_, megabytes)) = self.disk else {
            let mut shell = Command::new("/bin/sh");
            owner.run(shell.args(["-c", script, "sh"]));
            return Ok(shell);
        };
        ensure!(owner::is_root(), self.needs());
        let disk = folder.join("disk");
        std::fs::create_dir_all(&disk)?;
        let (user, group) = owner.ids();
        let options = format!("size={megabytes}m,uid={user},gid={group},mode=700");
        let mount = r#"mount -t tmpfs -o "$1" tmpfs "$2" || exit 90; shift 2; exec setpriv "$@""#;
        let mut shell = Command::new("unshare");
        shell.args(["--mount", "/bin/sh", "-c", mount, "sh", &options]).arg(disk);
        shell.args([format!("--reuid={user}"), format!("--regid={group}")]);
        shell.args(["--clear-groups", "/bin/sh", "-c", script, "sh"]);
        Ok(shell)
    }

    /// What a machine must have for it.
    pub(crate) const fn needs(&self) -> &'static str {
        match self.disk {
            None => "is there a /bin/sh?",
            Some(_) => {
                "a cluster on a small disk mounts one for itself: run the tests as root with the right to \
                 mount (in a container: `--cap-add SYS_ADMIN`), with `unshare`, `mount` and `setpriv` of \
                 util-linux installed"
            }
        }
    }
}
