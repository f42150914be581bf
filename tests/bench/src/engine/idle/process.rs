//! A worker process.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use anyhow::{Context as _, bail};

use crate::engine::cost;

/// A worker process; it ends with this value.
#[derive(Debug)]
pub(super) struct Worker {
    child: Child,
    says: PathBuf,
}

/// What a process has used up.
#[derive(Debug, Clone, Copy)]
pub(super) struct Usage {
    /// Resident memory now, in megabytes.
    pub(super) rss_mb: f64,
    /// Processor time since its start, in seconds.
    pub(super) cpu_s: f64,
}

impl Worker {
    /// Starts the program with nothing configured but its database and its artifacts.
    pub(super) fn start(
        program: &Path,
        url: &str,
        folder: &Path,
        name: &str,
    ) -> anyhow::Result<Self> {
        let says = folder.join(name);
        let mut command = Command::new(program);
        command.args(["--database", url, "--artifacts"]);
        command.arg(format!("file://{}", folder.join("artifacts").display()));
        command.env_clear().current_dir(folder).stdin(Stdio::null()).stdout(Stdio::null());
        let child = command.stderr(File::create(&says)?).spawn();
        Ok(Self { child: child.context("cannot start a worker")?, says })
    }

    /// What it has used up; it has to be running.
    pub(super) fn usage(&mut self) -> anyhow::Result<Usage> {
        if let Some(status) = self.child.try_wait()? {
            let says = std::fs::read_to_string(&self.says).unwrap_or_default();
            bail!("a worker ended with {status}; it says:\n{says}");
        }
        let folder = Path::new("/proc").join(self.child.id().to_string());
        let unknown = "this system does not tell what a process uses";
        let status = std::fs::read_to_string(folder.join("status")).context(unknown)?;
        Ok(Usage {
            rss_mb: resident_mb(&status).context(unknown)?,
            cpu_s: cost::cpu_s(&folder).context(unknown)?,
        })
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ended = self.child.kill();
        let _status = self.child.wait();
    }
}

fn resident_mb(status: &str) -> Option<f64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kib: u32 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(f64::from(kib) * 1_024.0 / 1e6)
}

#[cfg(test)]
mod tests {
    use super::resident_mb;

    #[test]
    fn resident_memory_is_read_in_kib() {
        let status = "Name:\tkoinon-worker\nVmHWM:\t   51234 kB\nVmRSS:\t 20000 kB\n";
        assert_eq!(resident_mb(status), Some(20.48));
        assert_eq!(resident_mb("Name:\tkoinon-worker\n"), None);
    }
}
