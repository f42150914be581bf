//! Bare statements, as `pgbench` runs them.

use std::io::ErrorKind;
use std::process::Stdio;
use std::str::FromStr;

use anyhow::{Context as _, bail, ensure};
use koinon_cluster::Programs;
use tokio::process::Command;

use super::server::Scratch;
use super::size::Size;

/// What a run of `pgbench` told.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Ran {
    /// How often the script ran to its end.
    pub(super) done: u64,
    /// The same in a second.
    pub(super) per_s: f64,
}

/// Runs a script for a while, with so many clients; for a test each runs it a few times.
pub(super) async fn run(
    scratch: &Scratch,
    script: &str,
    clients: u32,
    size: Size,
) -> anyhow::Result<Ran> {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("floor.sql");
    std::fs::write(&file, script)?;
    let mut pgbench = Programs::find()
        .map_or_else(|_| Command::new("pgbench"), |programs| programs.command("pgbench").into());
    pgbench.args(["-n", "-M", "prepared", "-j", "2", "-c"]).arg(clients.to_string());
    match size {
        Size::Full | Size::Quick => pgbench.arg("-T").arg(size.slice().as_secs().to_string()),
        Size::Tiny => pgbench.args(["-t", "5"]),
    };
    pgbench.arg("-f").arg(&file);
    // In the environment, because a command line can be read by everybody.
    pgbench.env("PGDATABASE", &scratch.url).stdin(Stdio::null()).kill_on_drop(true);
    let output = match pgbench.output().await {
        Err(error) if error.kind() == ErrorKind::NotFound => bail!(
            "there is no pgbench: it comes with the server's programs (Debian, Ubuntu: postgresql; \
             Fedora: postgresql-contrib); or name its folder in PG_BIN"
        ),
        other => other.context("cannot run pgbench")?,
    };
    let complaint = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "pgbench failed: {}", complaint.trim());
    read(&String::from_utf8_lossy(&output.stdout))
}

fn read(says: &str) -> anyhow::Result<Ran> {
    let done = number(says, "number of transactions actually processed: ")?;
    Ok(Ran { done, per_s: number(says, "tps = ")? })
}

fn number<T: FromStr>(says: &str, label: &str) -> anyhow::Result<T> {
    let line = says.lines().find_map(|line| line.strip_prefix(label));
    let number = line.and_then(|rest| rest.split([' ', '/']).next()?.parse().ok());
    number.with_context(|| format!("pgbench does not tell its {label:?}:\n{says}"))
}

#[cfg(test)]
mod tests {
    use super::{Ran, read};

    #[test]
    fn its_report_is_read() {
        let says = "transaction type: floor.sql\nnumber of clients: 16\n\
                    number of transactions actually processed: 42\n\
                    latency average = 0.5 ms\ntps = 8400.25 (without initial connection time)\n";
        assert_eq!(read(says).expect("a report"), Ran { done: 42, per_s: 8_400.25 });
        assert!(read("tps = 1").is_err(), "a report without a count is none");
    }
}
