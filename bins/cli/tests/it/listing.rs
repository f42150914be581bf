//! Looking at jobs.

use std::process::Stdio;

use crate::place::{Ended, Place};

#[test]
fn an_empty_database_has_an_empty_list() {
    let place = Place::new();
    let ended = place.koinon(&["job", "list"]);
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(0), "there are no jobs\n"));
    let (code, object) = place.json(&["job", "list"]);
    assert_eq!((code, &object["jobs"]), (Some(0), &serde_json::json!([])));
}

#[test]
fn a_global_option_stands_before_or_after_the_command() {
    let place = Place::new();
    for args in [["--json", "job", "list"], ["job", "--json", "list"], ["job", "list", "--json"]] {
        assert!(place.koinon(&args).object()["jobs"].is_array(), "{args:?}");
    }
    let ended = place.koinon(&["job", "list", "--database", "sqlite://other/jobs.db"]);
    assert_eq!(ended.code, Some(0));
    assert!(place.path("other/jobs.db").exists());
}

#[test]
fn a_pipe_that_nobody_reads_ends_the_program_quietly() {
    let place = Place::new();
    let mut child = place.command(&["job", "list"]);
    let mut child = child.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let ended = Ended::of(child.wait_with_output().unwrap());
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""));
}

#[test]
fn a_job_is_found_by_the_beginning_of_its_id() {
    let place = Place::new();
    let (_, job) = place.json(&["submit", "dataset", "guide.md"]);
    let id = job["job_id"].as_str().unwrap();
    let (code, found) = place.json(&["job", "status", &id[..13]]);
    assert_eq!((code, &found["job_id"]), (Some(0), &job["job_id"]));
}

#[test]
fn a_worker_finishes_what_was_submitted_and_every_view_tells_of_it() {
    let place = Place::new();
    let (code, job) = place.json(&["submit", "dataset", "guide.md"]);
    assert_eq!((code, &job["state"], &job["created"]), (Some(0), &"queued".into(), &true.into()));
    let (code, again) = place.json(&["submit", "dataset", "guide.md"]);
    assert_eq!((code, &again["created"]), (Some(0), &false.into()));
    assert_eq!(place.json(&["worker", "--once"]).0, Some(0));
    let id = job["job_id"].as_str().unwrap();

    assert_eq!(place.json(&["job", "wait", id, "--timeout", "5s"]).0, Some(0));
    let (_, status) = place.json(&["job", "status", id]);
    assert_eq!(status["state"], "succeeded");
    let (_, events) = place.json(&["job", "events", id]);
    let events = events["events"].as_array().unwrap();
    for (at, event) in events.iter().enumerate() {
        assert_eq!(event["seq"], at + 1);
    }
    assert_eq!(events.last().unwrap()["to"], "succeeded");
    let (_, cost) = place.json(&["job", "cost", id]);
    let entries = cost["entries"].as_array().unwrap();
    assert_eq!(entries.len(), 2 * usize::try_from(status["calls"].as_u64().unwrap()).unwrap());
    assert_eq!(entries[0]["call"].as_str().unwrap().len(), 64);
    assert_eq!((&cost["spent_usd"], &cost["in_doubt_usd"]), (&"0".into(), &"0".into()));
    let (code, artifacts) = place.json(&["job", "artifacts", id, "--out", "out"]);
    assert_eq!((code, &artifacts["output"]["dir"]), (Some(0), &"out".into()));
    assert!(place.read("out/train.jsonl").lines().count() > 0);

    let (code, refused) = place.json(&["job", "cancel", id]);
    assert_eq!((code, &refused["error_code"]), (Some(1), &"illegal_transition".into()));
}
