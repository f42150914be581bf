//! The example `two_stages`, as its own program.

use std::path::PathBuf;
use std::process::Command;

use koinon::prelude::*;
use koinon::store::{EntryKind, JobFilter};

/// The most lines that it may have, without blank ones and comments.
const MOST_LINES: usize = 25;

/// Cargo builds examples beside the tests.
fn program() -> PathBuf {
    let tests = std::env::current_exe().unwrap();
    tests.ancestors().nth(2).unwrap().join("examples").join("two_stages")
}

#[tokio::test]
async fn the_example_runs_and_pays_once_however_often_it_is_run() {
    let folder = tempfile::tempdir().unwrap();
    for _ in 0..2 {
        let output = Command::new(program()).current_dir(folder.path()).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }

    let mut settings = Settings::default();
    let database = folder.path().join(".koinon/koinon.db");
    settings.database.url = format!("sqlite://{}", database.display());
    let koinon = Koinon::builder(settings).open().await.unwrap();
    let jobs = koinon.jobs().jobs(koinon.tenant(), &JobFilter::default(), None, 10).await.unwrap();
    let [job] = jobs.as_slice() else { panic!("there are {} jobs", jobs.len()) };
    let job = job.readable().unwrap();
    assert_eq!(job.run.state, State::Succeeded);
    assert_eq!(job.spec.limits.cost, Some("0.5".parse().unwrap()));
    let entries = koinon.ledger().entries(koinon.tenant(), job.spec.id, 0, 10).await.unwrap();
    let kinds: Vec<_> = entries.iter().map(|entry| entry.kind).collect();
    assert_eq!(kinds, [EntryKind::Reserved, EntryKind::Settled]);
    koinon.close().await;
}

#[test]
fn the_example_is_short() {
    let lines = include_str!("../../examples/two_stages.rs").lines().map(str::trim);
    let code = lines.filter(|line| !line.is_empty() && !line.starts_with("//"));
    assert!(code.count() <= MOST_LINES);
}
