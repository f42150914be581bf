//! A small tree that keeps every rule, to be planted with a breach.

use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

/// The folder of a tree; it is gone with the value.
pub(crate) struct Tree {
    folder: TempDir,
}

/// What a verb of `cargo xtask` answered.
pub(crate) struct Answer {
    pub(crate) passed: bool,
    pub(crate) says: String,
}

impl Tree {
    /// A tree that keeps every rule.
    pub(crate) fn clean() -> Self {
        let tree = Self { folder: TempDir::new().expect("a folder") };
        for name in
            ["Cargo.lock", "rust-toolchain.toml", "clippy.toml", "rustfmt.toml", "deny.toml"]
        {
            tree.write(name, "");
        }
        for name in ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"] {
            tree.write(name, "# Title\n");
        }
        for name in ["LICENSE-MIT", "LICENSE-APACHE", "tests/e2e/src/lib.rs", "xtask/src/main.rs"] {
            tree.write(name, "");
        }
        tree.write("Cargo.toml", "[workspace]\n");
        tree.write(".gitignore", "/target\n");
        tree.write("docs/glossary.md", GLOSSARY);
        tree.write("docs/adr/0001-a-decision.md", "# 1\n");
        tree.write("docs/errors/transient.md", PAGE);
        tree.write("crates/domain/Cargo.toml", "[package]\nname = \"koinon-domain\"\n");
        tree.write("crates/domain/src/error_code.rs", REGISTRY);
        tree.write("crates/store-sqlite/Cargo.toml", ADAPTER);
        tree.write("crates/store-sqlite/src/sql/claim.sql", "-- Atomic.\nSELECT 1;\n");
        tree.write("bins/cli/Cargo.toml", "[package]\nname = \"koinon-cli\"\n");
        tree.write("bins/cli/src/main.rs", "fn main() {}\n");
        tree.write("migrations/sqlite/0001_jobs.sql", "CREATE TABLE jobs (id BLOB PRIMARY KEY);\n");
        tree
    }

    /// Writes a file, and the folders above it.
    pub(crate) fn write(&self, path: &str, text: &str) {
        let path = self.path().join(path);
        std::fs::create_dir_all(path.parent().expect("a folder above")).expect("folders");
        std::fs::write(path, text).expect("a file");
    }

    /// Takes a file away.
    pub(crate) fn remove(&self, path: &str) {
        std::fs::remove_file(self.path().join(path)).expect("a file");
    }

    /// What a file says.
    pub(crate) fn read(&self, path: &str) -> String {
        std::fs::read_to_string(self.path().join(path)).expect("a file")
    }

    /// Runs a verb on this tree.
    pub(crate) fn xtask(&self, verb: &[&str]) -> Answer {
        xtask(verb, self.path())
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }
}

/// Runs a verb on the tree below a folder.
pub(crate) fn xtask(verb: &[&str], root: &Path) -> Answer {
    let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
    let output = command.args(verb).arg("--root").arg(root).output().expect("xtask runs");
    let says = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    Answer { passed: output.status.success(), says }
}

impl Answer {
    /// Asserts that the verb failed, and told the place and what to do.
    #[track_caller]
    pub(crate) fn refuses(&self, place: &str, advice: &str) {
        assert!(!self.passed, "passed: {}", self.says);
        let told = self.says.lines().any(|line| line.starts_with(place) && line.contains(advice));
        assert!(told, "no line `{place}: … {advice} …` in:\n{}", self.says);
    }

    /// Asserts that the verb found nothing.
    #[track_caller]
    pub(crate) fn passes(&self) {
        assert!(self.passed, "{}", self.says);
    }
}

/// The words are made up, so that these tests break no rule of the real tree.
const GLOSSARY: &str = "\
# Words

| word | meaning | not |
|---|---|---|
| **fish** | lives in water | `red_herring`, `kipper` |
| **bird** | flies | – |
";

const PAGE: &str = "\
# `transient`

## What happened

## What to try

## Where it shows
";

const REGISTRY: &str = "\
codes! {
    /// Likely to pass by itself.
    TRANSIENT = \"transient\";
}
#[cfg(test)]
mod tests {
    const OTHER: &str = \"of_a_test\";
    codes! { OF_A_TEST = \"of_a_test\"; }
}
";

const ADAPTER: &str = "\
[package]
name = \"koinon-store-sqlite\"

[dependencies]
koinon-domain.workspace = true
sqlx.workspace = true
";
