//! `koinon run` with the offline provider.

use crate::place::Place;

#[test]
fn a_run_makes_a_dataset_and_a_second_one_finds_it_done() {
    let place = Place::new();
    let args = ["run", "dataset", "guide.md", "--out", "out"];
    let (code, first) = place.json(&args);
    assert_eq!(code, Some(0), "{first}");
    assert_eq!((&first["state"], &first["error_code"]), (&"succeeded".into(), &().into()));
    assert_eq!(first["calls_this_run"], first["calls"]);
    let rows = place.read("out/train.jsonl");
    assert_eq!(first["output"]["rows"]["train"], rows.lines().count());
    let names: Vec<_> = first["output"]["files"].as_array().unwrap().iter().collect();
    assert_eq!(names.len(), 6);

    std::fs::remove_dir_all(place.path("out")).unwrap();
    let (code, second) = place.json(&args);
    assert_eq!((code, &second["calls_this_run"]), (Some(0), &0.into()));
    assert_eq!((&second["job_id"], &second["calls"]), (&first["job_id"], &first["calls"]));
    assert_eq!(second["output"], first["output"]);
    assert_eq!(place.read("out/train.jsonl"), rows);

    let ended = place.koinon(&args);
    assert!(ended.stdout.contains("has already succeeded"), "{}", ended.stdout);
}

#[test]
fn an_output_folder_among_the_inputs_is_no_input() {
    let place = Place::new();
    let args = ["run", "dataset", ".", "--out", "out"];
    let (_, first) = place.json(&args);
    let (code, second) = place.json(&args);
    assert_eq!((code, &second["job_id"]), (Some(0), &first["job_id"]));
}

#[test]
fn a_cancelled_job_stays_cancelled_unless_it_is_wanted_again() {
    let place = Place::new();
    let (_, job) = place.json(&["submit", "dataset", "guide.md"]);
    let id = job["job_id"].as_str().unwrap();
    let (code, cancelled) = place.json(&["job", "cancel", id]);
    assert_eq!((code, &cancelled["state"]), (Some(0), &"cancelled".into()));
    let (code, run) = place.json(&["run", "dataset", "guide.md"]);
    assert_eq!((code, &run["job_id"]), (Some(4), &job["job_id"]));
    let (code, run) = place.json(&["run", "dataset", "guide.md", "--again"]);
    assert_eq!((code, &run["state"]), (Some(0), &"succeeded".into()));
    assert_ne!(run["job_id"], job["job_id"]);
}

#[test]
fn a_job_that_was_paused_by_request_goes_on_when_it_is_run() {
    let place = Place::new();
    let (_, job) = place.json(&["submit", "dataset", "guide.md"]);
    let id = job["job_id"].as_str().unwrap();
    assert_eq!(place.json(&["job", "pause", id]).1["state"], "paused");
    assert_eq!(place.json(&["job", "wait", id]).0, Some(3));
    let (code, run) = place.json(&["run", "dataset", "guide.md"]);
    assert_eq!((code, &run["job_id"]), (Some(0), &job["job_id"]));
}

#[test]
fn a_job_that_failed_says_why_and_is_tried_again_by_the_next_run() {
    let place = Place::new();
    place.write("empty.md", "");
    for attempt in 1..=2 {
        let (code, run) = place.json(&["run", "dataset", "empty.md"]);
        assert_eq!((code, &run["state"]), (Some(1), &"failed".into()), "{attempt}: {run}");
        assert_eq!((&run["error_code"], &run["output"]), (&"no_usable_input".into(), &().into()));
    }
    let ended = place.koinon(&["run", "dataset", "empty.md"]);
    assert!(ended.stderr.contains("error[no_usable_input]: "), "{}", ended.stderr);
    assert!(ended.stderr.contains("help: "), "{}", ended.stderr);
}
