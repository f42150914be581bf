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

#[test]
fn the_backlog_shows_how_much_waits_in_each_queue() {
    let place = Place::new();
    let queue = |place: &Place| {
        let (code, backlog) = place.json(&["backlog"]);
        assert_eq!((code, &backlog["datasources"][0]["state"]), (Some(0), &"available".into()));
        let queues = backlog["datasources"][0]["queues"].as_array().unwrap();
        queues.iter().find(|queue| queue["queue"] == "dataset").unwrap().clone()
    };
    let empty = queue(&place);
    assert_eq!((&empty["queue"], &empty["ready"]), (&"dataset".into(), &0.into()));
    assert!(empty["oldest_ready_age_ms"].is_null(), "{empty}");
    let (_, job) = place.json(&["submit", "dataset", "guide.md"]);
    let waiting = queue(&place);
    assert_eq!((&waiting["ready"], &waiting["per_replica_capacity"]), (&1.into(), &1.into()));
    assert!(waiting["oldest_ready_age_ms"].is_u64(), "{waiting}");
    place.koinon(&["job", "pause", job["job_id"].as_str().unwrap()]);
    let paused = queue(&place);
    assert_eq!((&paused["ready"], &paused["paused"]), (&0.into(), &1.into()), "{paused}");
    assert!(place.koinon(&["backlog"]).stdout.contains("dataset"));
}

/// The verdict of each gate, as `explain` shows it.
fn gate(place: &Place, job: &str, gate: &str) -> (bool, String) {
    let (code, explained) = place.json(&["job", "explain", job]);
    assert_eq!(code, Some(0), "{explained}");
    let gates = explained["gates"].as_array().unwrap();
    let found = gates.iter().find(|one| one["gate"] == gate).unwrap();
    let holds_back = found["holds_back"].as_bool().unwrap();
    let listed = explained["held_back_by"].as_array().unwrap().iter().any(|one| one == gate);
    assert_eq!(holds_back, listed, "{explained}");
    (holds_back, found["value"].as_str().unwrap().to_owned())
}

#[test]
fn a_job_that_nobody_takes_is_explained_gate_by_gate() {
    let place = Place::new();
    let (_, job) = place.json(&["submit", "dataset", "guide.md", "--max-calls", "7"]);
    let id = job["job_id"].as_str().unwrap();
    let (holds_back, value) = gate(&place, id, "worker");
    assert!(holds_back && value.contains("none that runs dataset"), "{value}");
    assert_eq!(gate(&place, id, "budget"), (false, "calls 0 of 7".to_owned()));
    assert!(!gate(&place, id, "state").0);
    assert!(!gate(&place, id, "queue").0);
    assert!(!gate(&place, id, "set_aside").0);
    place.koinon(&["job", "pause", id]);
    let (holds_back, value) = gate(&place, id, "state");
    assert!(holds_back && value.contains("by request"), "{value}");
    assert!(place.koinon(&["job", "explain", id]).stdout.contains("held back by: state"));
}

#[test]
fn a_running_limit_is_explained_with_what_runs_beside_it() {
    let place = Place::new();
    let (_, job) = place.json(&["submit", "dataset", "guide.md"]);
    let id = job["job_id"].as_str().unwrap();
    assert_eq!(gate(&place, id, "running_limit"), (false, "none".to_owned()));
    place.write("koinon.toml", "[queues.dataset]\nrunning = 3\nrunning_per_tenant = 2\n");
    let limits = "0 of 3 run, 0 of 2 of tenant local run".to_owned();
    assert_eq!(gate(&place, id, "running_limit"), (false, limits));
}

#[test]
fn a_queue_that_nobody_knows_is_paused_with_a_note() {
    let place = Place::new();
    place.write("koinon.toml", "[queues.report]\nrunning = 3\n");
    for (queue, is_noted) in [("dataset", false), ("report", false), ("datset", true)] {
        let ended = place.koinon(&["queue", "pause", queue]);
        assert_eq!(ended.code, Some(0), "{ended:?}");
        assert_eq!(
            ended.stderr.contains(&format!("no queue {queue} is known")),
            is_noted,
            "{ended:?}"
        );
    }
}

#[test]
fn nothing_is_taken_from_a_paused_queue_until_it_goes_on() {
    let place = Place::new();
    let (_, job) = place.json(&["submit", "dataset", "guide.md"]);
    let id = job["job_id"].as_str().unwrap();
    let (code, paused) = place.json(&["queue", "pause", "dataset"]);
    assert_eq!(
        (code, &paused["paused"], &paused["changed"]),
        (Some(0), &true.into(), &true.into())
    );
    assert_eq!(place.json(&["queue", "pause", "dataset"]).1["changed"], false);
    // The pause is stored: another process finds nothing to do, and ends.
    assert_eq!(place.koinon(&["worker", "--once"]).code, Some(0));
    assert_eq!(place.json(&["job", "status", id]).1["state"], "queued");
    let (holds_back, value) = gate(&place, id, "queue");
    assert!(holds_back && value.contains("has been paused"), "{value}");
    let listed = place.json(&["queue", "list"]).1;
    let queues = listed["datasources"][0]["queues"].as_array().unwrap();
    let queue = queues.iter().find(|queue| queue["queue"] == "dataset").unwrap();
    assert_eq!((&queue["ready"], &queue["paused"]), (&0.into(), &1.into()), "{queue}");
    assert!(queue["paused_at"].is_string(), "{queue}");
    assert_eq!(place.json(&["queue", "resume", "dataset"]).1["changed"], true);
    assert_eq!(place.koinon(&["worker", "--once"]).code, Some(0));
    assert_eq!(place.json(&["job", "status", id]).1["state"], "succeeded");
}

#[test]
fn a_worker_that_is_there_is_named_until_it_has_ended() {
    let place = Place::new();
    // Nothing is taken from the queue, so the job waits while the worker is there.
    place.koinon(&["queue", "pause", "dataset"]);
    let (_, job) = place.json(&["submit", "dataset", "guide.md"]);
    let id = job["job_id"].as_str().unwrap();
    let worker = place.start(&["worker"], &[]);
    // It says so soon after its start; each look is a process of its own.
    let seen = (0..2_000).map(|_| gate(&place, id, "worker")).find(|(holds_back, _)| !holds_back);
    let (_, value) = seen.unwrap();
    assert!(value.contains("1 seen in the last minute, with 1 places"), "{value}");
    let pid = worker.id().to_string();
    assert!(std::process::Command::new("kill").arg(pid).status().unwrap().success());
    assert_eq!(Ended::of(worker.wait_with_output().unwrap()).code, Some(0));
    assert!(gate(&place, id, "worker").0, "it said that it was gone");
}
