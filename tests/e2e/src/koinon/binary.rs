//! Finding the built program.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// The program that was built beside the tests; it is built now if it is not there.
pub(super) fn path() -> &'static Path {
    static PATH: OnceLock<PathBuf> = OnceLock::new();
    PATH.get_or_init(|| {
        // A test stands in target/<profile>/deps.
        let test = std::env::current_exe().unwrap();
        let folder = test.parent().unwrap().parent().unwrap();
        let program = folder.join("koinon");
        if !program.exists() {
            build(folder);
        }
        assert!(program.exists(), "no program at {}", program.display());
        program
    })
}

/// Brings a database on Postgres to the schema of the program.
pub(super) fn migrate(url: &str) {
    let mut command = Command::new(path());
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("KOINON_")) {
        command.env_remove(name);
    }
    let done = command.args(["migrate", "--database", url]).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
}

fn build(folder: &Path) {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.current_dir(env!("CARGO_MANIFEST_DIR")).args(["build", "--package", "koinon-cli"]);
    if folder.ends_with("release") {
        command.arg("--release");
    }
    assert!(command.status().unwrap().success(), "the program does not build");
}
