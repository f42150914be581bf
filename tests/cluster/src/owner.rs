//! As whom the server runs: Postgres refuses to be root.

use std::os::unix::fs::{MetadataExt as _, chown};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::Command;

use anyhow::Context as _;

/// The user that the server runs as; `None` for the one who runs the tests.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Owner(Option<(u32, u32)>);

/// Whether this process may do everything.
pub(crate) fn is_root() -> bool {
    std::fs::metadata("/proc/self").is_ok_and(|about| about.uid() == 0)
}

impl Owner {
    /// The tests' own user, or, for root, one without rights.
    pub(crate) fn of_this_process() -> anyhow::Result<Self> {
        if !is_root() {
            return Ok(Self(None));
        }
        let users = std::fs::read_to_string("/etc/passwd").context("cannot read /etc/passwd")?;
        let user = ["postgres", "nobody"].iter().find_map(|name| ids(&users, name));
        let user = user.context("there is neither a user postgres nor a user nobody")?;
        Ok(Self(Some(user)))
    }

    /// Its numbers: of the user and of the group.
    pub(crate) fn ids(self) -> (u32, u32) {
        self.0.unwrap_or_default()
    }

    /// Gives a folder to the user.
    pub(crate) fn give(self, folder: &Path) -> anyhow::Result<()> {
        match self.0 {
            None => Ok(()),
            Some((user, group)) => chown(folder, Some(user), Some(group))
                .with_context(|| format!("cannot give {} away", folder.display())),
        }
    }

    /// Lets a command run as the user.
    pub(crate) fn run(self, command: &mut Command) -> &mut Command {
        match self.0 {
            None => command,
            Some((user, group)) => command.uid(user).gid(group),
        }
    }
}

fn ids(users: &str, name: &str) -> Option<(u32, u32)> {
    let line = users.lines().find(|line| line.split(':').next() == Some(name))?;
    let mut parts = line.split(':').skip(2).map(str::parse);
    Some((parts.next()?.ok()?, parts.next()?.ok()?))
}
