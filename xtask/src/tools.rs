//! The programs that the checks need beside cargo, at pinned versions.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::ensure;

use crate::process;

/// A subcommand of cargo that this repository relies on.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Tool {
    package: &'static str,
    subcommand: &'static str,
    version: &'static str,
}

/// The test runner.
pub(crate) const NEXTEST: Tool =
    Tool { package: "cargo-nextest", subcommand: "nextest", version: "0.9.143" };

/// The check of licences, bans and sources.
pub(crate) const DENY: Tool = Tool { package: "cargo-deny", subcommand: "deny", version: "0.20.2" };

impl Tool {
    /// A command that runs the tool at its pinned version; the tool is installed when it is missing.
    ///
    /// A missing tool goes where `cargo install` puts programs, so that the next checkout finds it.
    /// A tool of another version is left alone, and the pinned one goes below `target/tools`.
    pub(crate) fn command<'a>(
        self,
        root: &Path,
        args: impl IntoIterator<Item = &'a str>,
    ) -> anyhow::Result<Command> {
        let mut command = match found_version(process::cargo(root, [self.subcommand])) {
            Some(version) if version == self.version => process::cargo(root, []),
            None => {
                self.install(process::cargo(root, []), "it is not installed")?;
                process::cargo(root, [])
            }
            Some(other) => Command::new(self.own_copy(root, &other)?),
        };
        command.current_dir(root).arg(self.subcommand).args(args);
        Ok(command)
    }

    /// The pinned copy below `target/tools`, which other versions on this machine do not disturb.
    fn own_copy(self, root: &Path, other: &str) -> anyhow::Result<PathBuf> {
        let folder = root.join("target").join("tools");
        let program = folder.join("bin").join(self.package);
        let mut version = Command::new(&program);
        version.arg(self.subcommand);
        if found_version(version).as_deref() != Some(self.version) {
            let mut cargo = process::cargo(root, []);
            cargo.env("CARGO_INSTALL_ROOT", &folder);
            self.install(cargo, &format!("version {other} is installed and stays as it is"))?;
        }
        Ok(program)
    }

    fn install(self, mut cargo: Command, why: &str) -> anyhow::Result<()> {
        cargo.args(["install", "--locked", self.package, "--version", self.version]);
        writeln!(
            std::io::stderr(),
            "==> {} {} is needed: {why}. Building it takes some minutes, once: {}",
            self.package,
            self.version,
            process::spelled(&cargo),
        )?;
        let status = process::status(&mut cargo)?;
        ensure!(
            status.success(),
            "cannot install {} {}: see cargo's message above",
            self.package,
            self.version
        );
        Ok(())
    }
}

/// The version that the tool says it has, or nothing when it cannot be run.
fn found_version(mut command: Command) -> Option<String> {
    let output = command.arg("--version").stdin(Stdio::null()).output().ok()?;
    let answer = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| parse_version(&answer)).flatten()
}

/// The version in an answer such as `cargo-nextest 0.9.143 (1e2d3a4 2026-10-01)`.
fn parse_version(answer: &str) -> Option<String> {
    answer.lines().next()?.split_whitespace().nth(1).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::parse_version;

    #[test]
    fn the_version_is_the_second_word_of_the_first_line() {
        assert_eq!(parse_version("cargo-deny 0.20.2\n").as_deref(), Some("0.20.2"));
        assert_eq!(
            parse_version("cargo-nextest 0.9.143 (1e2d3a4 2026-10-01)\nrelease: x\n").as_deref(),
            Some("0.9.143")
        );
        assert_eq!(parse_version(""), None);
    }
}
