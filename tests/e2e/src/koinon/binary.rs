//! The program under test: built from the sources as they are.

use std::fs::File;
use std::io::{Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// Where `cargo xtask test` has built the program for the run that it starts.
const BUILT: &str = "KOINON_TEST_PROGRAM";

/// What nextest calls a run in each of its processes.
const RUN: &str = "NEXTEST_RUN_ID";

/// The program beside the tests, which was built for this run.
pub(super) fn path() -> &'static Path {
    static PATH: OnceLock<PathBuf> = OnceLock::new();
    PATH.get_or_init(|| {
        // A test stands in target/<profile>/deps.
        let test = std::env::current_exe().unwrap();
        let folder = test.parent().unwrap().parent().unwrap();
        let program = folder.join("koinon");
        let is_built = std::env::var_os(BUILT).is_some_and(|built| program == *built);
        if !is_built {
            let run = std::env::var(RUN).ok();
            once_per_run(&folder.join("koinon.run"), run.as_deref(), || build(folder));
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

/// Does the work unless a process of the same run has done it; the others wait meanwhile. A process whose run has no
/// name is a run of its own. The file keeps the name of the last run.
fn once_per_run(file: &Path, run: Option<&str>, work: impl FnOnce()) {
    let mut file =
        File::options().read(true).write(true).create(true).truncate(false).open(file).unwrap();
    file.lock().unwrap();
    let mut last = String::new();
    file.read_to_string(&mut last).unwrap();
    if run == Some(last.as_str()) {
        return;
    }
    work();
    file.set_len(0).unwrap();
    file.rewind().unwrap();
    file.write_all(run.unwrap_or_default().as_bytes()).unwrap();
}

/// Has cargo build the program, which it does only if something has changed.
fn build(folder: &Path) {
    let profile = match folder.file_name().unwrap().to_str().unwrap() {
        "debug" => "dev",
        other => other,
    };
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."));
    command.args(["build", "--bin", "koinon", "--profile", profile, "--target-dir"]);
    command.arg(folder.parent().unwrap());
    assert!(command.status().unwrap().success(), "the program does not build");
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::once_per_run;

    #[test]
    fn a_program_is_built_once_for_each_run() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("run");
        let built = Cell::new(0);
        let runs = [Some("a-long-name"), Some("a-long-name"), Some("b"), Some("b"), None, None];
        let counts = runs.map(|run| {
            once_per_run(&file, run, || built.set(built.get() + 1));
            built.get()
        });
        assert_eq!(counts, [1, 1, 2, 2, 3, 4]);
    }

    #[test]
    fn a_program_that_did_not_build_is_built_again() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("run");
        let failed = std::panic::catch_unwind(|| once_per_run(&file, Some("a"), || panic!("no")));
        assert!(failed.is_err());
        let built = Cell::new(false);
        once_per_run(&file, Some("a"), || built.set(true));
        assert!(built.get());
    }
}
