use std::path::{Path, PathBuf};
use std::sync::Arc;

use koinon_cluster::Cluster;

use super::Folder;
use crate::chaos::check::{Finding, Promise};
use crate::chaos::database::Database;
use crate::chaos::plan::Keep;
use crate::chaos::report::Report;

const JOB: &str = "0123456789abcdef0123456789abcdef";

fn finding() -> Finding {
    Finding { promise: Promise::LostJob, job: JOB.to_owned(), says: "is not there".to_owned() }
}

/// Ends a run that came to this; where its folder was, and what is told.
fn ended(keep: Keep, findings: Vec<Finding>, surprises: Vec<String>) -> (PathBuf, String) {
    let mut report = Report { findings, ..Report::default() };
    report.seen.surprises = surprises;
    ended_on(|folder| Database::Sqlite(folder.join("koinon.db")), keep, report)
}

/// The same on a database of the test's choice.
fn ended_on(
    database: impl FnOnce(&Path) -> Database,
    keep: Keep,
    mut report: Report,
) -> (PathBuf, String) {
    let folder = Folder::new();
    let path = folder.path().to_owned();
    folder.settle(keep, &database(&path), &[], &mut report);
    (path, report.to_string())
}

#[test]
fn the_folder_of_a_run_that_kept_every_promise_goes() {
    let (path, told) = ended(Keep::Failed, Vec::new(), Vec::new());
    assert!(!path.exists());
    assert!(!told.contains("what the run left"), "{told}");
}

#[test]
fn the_folder_of_any_other_run_stays_and_is_named() {
    for (keep, findings, surprises) in [
        (Keep::Failed, vec![finding()], Vec::new()),
        (Keep::Failed, Vec::new(), vec!["a worker ended".to_owned()]),
        (Keep::Always, Vec::new(), Vec::new()),
    ] {
        let breaches = findings.len();
        let (path, told) = ended(keep, findings, surprises);

        let report = std::fs::read_to_string(path.join("report")).unwrap();
        assert!(path.join("requests.jsonl").is_file());
        std::fs::remove_dir_all(&path).unwrap();
        assert!(report.contains(&format!("\"lost_jobs\":{breaches}")), "{report}");
        assert!(told.contains(&format!("what the run left is in {}", path.display())), "{told}");
        assert!(told.contains(&format!("sqlite://{}/koinon.db", path.display())), "{told}");
    }
}

#[test]
fn a_run_whose_tables_cannot_be_written_out_says_so_and_ends_as_any_other() {
    // It has no database of that name.
    let cluster = Arc::new(Cluster::start().unwrap());
    let report = Report { findings: vec![finding()], ..Report::default() };

    let (path, told) = ended_on(|_| Database::Postgres(cluster), Keep::Failed, report);

    let report = std::fs::read_to_string(path.join("report")).unwrap();
    std::fs::remove_dir_all(&path).unwrap();
    assert!(report.contains("\"lost_jobs\":1"), "{report}");
    assert!(told.contains(&format!("what the run left is in {}", path.display())), "{told}");
    assert!(told.contains("the tables are not there: ") && told.contains("\"chaos\""), "{told}");
    assert!(!told.contains("job explain"), "{told}");
}

#[test]
fn a_breach_names_the_job_as_the_programs_do() {
    let report = Report { findings: vec![finding()], ..Report::default() };
    let told = report.to_string();
    assert!(told.contains("job 01234567-89ab-cdef-0123-456789abcdef is not there"), "{told}");
}

#[test]
fn the_folder_of_a_run_that_ended_in_a_panic_stays() {
    let path = std::panic::catch_unwind(|| {
        let folder = Folder::new();
        let path = folder.path().to_owned();
        std::panic::panic_any((path, folder.path().exists()));
    })
    .unwrap_err();
    let (path, was_there) = *path.downcast::<(PathBuf, bool)>().unwrap();
    let is_there = path.exists();
    std::fs::remove_dir_all(&path).ok();
    assert!(was_there && is_there);
}
