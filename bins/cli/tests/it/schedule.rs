//! Schedules on the command line.

use serde_json::Value;

use crate::place::Place;

const NIGHTLY: [&str; 9] = [
    "schedule",
    "add",
    "nightly",
    "--cron",
    "0 3 * * *",
    "--tz",
    "Europe/Berlin",
    "--kind",
    "dataset",
];

fn add(place: &Place, more: &[&str]) -> (Option<i32>, Value) {
    place.json(&[&NIGHTLY[..], &["guide.md"], more].concat())
}

#[test]
fn a_schedule_is_added_listed_paused_resumed_and_removed() {
    let place = Place::new();
    let (code, added) = add(&place, &["--budget-usd", "2", "--missed", "all"]);
    assert_eq!(code, Some(0), "{added}");
    assert_eq!((&added["name"], &added["state"]), (&"nightly".into(), &"active".into()));
    assert_eq!((&added["cron"], &added["tz"]), (&"0 3 * * *".into(), &"Europe/Berlin".into()));
    assert_eq!((&added["missed"], &added["limits"]["cost_usd"]), (&"all".into(), &"2".into()));
    let next_at = added["next_at"].as_str().unwrap();
    assert!(next_at.ends_with("01:00:00.000000Z") || next_at.ends_with("02:00:00.000000Z"));

    let (_, list) = place.json(&["schedule", "list"]);
    assert_eq!(list["schedules"].as_array().unwrap(), std::slice::from_ref(&added));
    let (_, paused) = place.json(&["schedule", "pause", "nightly"]);
    assert_eq!((&paused["state"], &paused["next_at"]), (&"paused".into(), &Value::Null));
    let (_, resumed) = place.json(&["schedule", "resume", "nightly"]);
    assert_eq!((&resumed["state"], &resumed["next_at"]), (&"active".into(), &next_at.into()));
    assert!(place.koinon(&["schedule", "list"]).stdout.contains("0 3 * * * (Europe/Berlin)"));
    let (code, removed) = place.json(&["schedule", "remove", "nightly"]);
    assert_eq!((code, &removed["removed"]), (Some(0), &true.into()));
    assert_eq!(place.koinon(&["schedule", "list"]).stdout.trim(), "there are no schedules");
}

#[test]
fn what_is_wrong_with_a_schedule_is_said_under_a_code_of_its_own() {
    let place = Place::new();
    let of = |more: &[&str]| {
        let args = [&["schedule", "add", "x", "--kind", "dataset", "guide.md"], more].concat();
        place.json(&args)
    };
    for (more, error_code, words) in [
        (&["--cron", "0 24 * * *"][..], "invalid_cron", "hour"),
        (&["--cron", "0 0 30 2 *"], "invalid_cron", "never"),
        (&["--cron", "0 3 * *"], "invalid_cron", "five fields"),
        (&["--cron", "0 3 * * *", "--tz", "Europe/Atlantis"], "unknown_time_zone", "Atlantis"),
        (&["--every", "500ms"], "invalid_interval", "1 s"),
        (&["--every", "15"], "usage", "length of time"),
        (&["--every", "15m", "--missed", "never"], "usage", "skip, once or all"),
        (&["--every", "15m", "--cron", "0 3 * * *"], "usage", "cannot be used with"),
        (&[], "usage", "required"),
    ] {
        let (code, object) = of(more);
        assert_eq!((code, &object["error_code"]), (Some(2), &error_code.into()), "{object}");
        assert!(object["error_summary"].as_str().unwrap().contains(words), "{object}");
    }
    let (_, list) = place.json(&["schedule", "list"]);
    assert_eq!(list["schedules"].as_array().unwrap().len(), 0);
}

#[test]
fn a_name_is_taken_once_and_a_missing_schedule_is_not_found() {
    let place = Place::new();
    assert_eq!(add(&place, &[]).0, Some(0));
    let (code, object) = add(&place, &["--missed", "skip"]);
    assert_eq!((code, &object["error_code"]), (Some(1), &"schedule_exists".into()));
    for command in ["pause", "resume", "run-now", "remove"] {
        let (code, object) = place.json(&["schedule", command, "hourly"]);
        assert_eq!((code, &object["error_code"]), (Some(1), &"not_found".into()), "{command}");
    }
}

#[test]
fn a_kind_that_this_program_does_not_know_is_added_only_knowingly() {
    let place = Place::new();
    let args = ["schedule", "add", "x", "--every", "15m", "--kind", "datset", "guide.md"];
    let (code, object) = place.json(&args);
    assert_eq!((code, &object["error_code"]), (Some(2), &"unknown_kind".into()));
    place.write("input.json", r#"{"topic": "tea"}"#);
    place.write("input.txt", "tea");
    let knowingly = |file| {
        let args = ["schedule", "add", "x", "--every", "15m", "--kind", "report"];
        place.json(&[&args[..], &["--unknown-kind", "--payload", file]].concat())
    };
    assert_eq!(knowingly("input.txt").1["error_code"], "invalid_input");
    assert_eq!(knowingly("missing.json").1["error_code"], "source_missing");
    let (code, added) = knowingly("input.json");
    assert_eq!(
        (code, &added["kind"], &added["queue"]),
        (Some(0), &"report".into(), &"report".into())
    );
}

#[test]
fn a_job_that_is_asked_for_now_runs_with_the_inputs_of_the_schedule() {
    let place = Place::new();
    assert_eq!(add(&place, &[]).0, Some(0));
    std::fs::remove_file(place.path("guide.md")).unwrap();
    assert_eq!(place.koinon(&["schedule", "pause", "nightly"]).code, Some(0));
    let jobs = ["schedule", "run-now", "nightly"];
    let ids = [(); 2].map(|()| place.json(&jobs).1["job_id"].as_str().unwrap().to_owned());
    assert_ne!(ids[0], ids[1]);
    assert_eq!(place.koinon(&["worker", "--once"]).code, Some(0));
    for id in ids {
        let (_, job) = place.json(&["job", "status", &id]);
        assert_eq!(job["state"], "succeeded", "{job}");
    }
}
