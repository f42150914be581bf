//! Limits: a job stops before it passes one, and goes on when it is raised.

use crate::place::Place;

const PRICES: &str = "id = \"test\"\neffective_from = \"2026-01-01T00:00:00Z\"\n[[price]]\n\
    provider = \"offline\"\nmodel = \"*\"\ninput_usd_per_million = \"1\"\n\
    output_usd_per_million = \"1\"\n";

#[test]
fn a_job_without_budget_pauses_and_goes_on_only_when_a_limit_is_higher() {
    let place = Place::new();
    place.write("prices.toml", PRICES);
    let run = ["run", "dataset", "guide.md", "--prices", "prices.toml", "--out", "out"];
    let with = |limit: &[&'static str]| [&run[..], limit].concat();

    let (code, paused) = place.json(&with(&["--budget-usd", "0"]));
    assert_eq!(code, Some(3), "{paused}");
    assert_eq!((&paused["state"], &paused["calls"]), (&"paused".into(), &0.into()));
    assert_eq!(paused["error_code"], "budget_exhausted");
    let id = paused["job_id"].as_str().unwrap();

    let (code, still) = place.json(&run);
    assert_eq!((code, &still["generation"]), (Some(3), &paused["generation"]), "nothing changed");

    let (code, raised) = place.json(&["budget", "raise", id, "--budget-usd", "5"]);
    assert_eq!((code, &raised["changed"]), (Some(0), &true.into()));
    let (_, lower) = place.json(&["budget", "raise", id, "--budget-usd", "1"]);
    assert_eq!((&lower["changed"], &lower["limits"]["cost_usd"]), (&false.into(), &"5".into()));
    let (code, done) = place.json(&run);
    assert_eq!((code, &done["state"]), (Some(0), &"succeeded".into()), "{done}");
}

#[test]
fn a_higher_limit_on_the_same_command_goes_on_and_repeats_no_call() {
    let place = Place::new();
    let run = |calls| place.json(&["run", "dataset", "guide.md", "--max-calls", calls]);
    let (code, first) = run("2");
    assert_eq!((code, &first["calls"]), (Some(3), &2.into()), "{first}");
    let (code, lower) = run("1");
    assert_eq!(
        (code, &lower["calls_this_run"], &lower["limits"]["calls"]),
        (Some(3), &0.into(), &2.into())
    );
    let (code, done) = run("1000");
    assert_eq!((code, &done["state"]), (Some(0), &"succeeded".into()), "{done}");
    let sent = first["calls_this_run"].as_u64().unwrap() + done["calls_this_run"].as_u64().unwrap();
    assert_eq!(done["calls"], sent);
}

#[test]
fn what_to_do_about_a_used_up_budget_is_told() {
    let place = Place::new();
    let ended = place.koinon(&["run", "dataset", "guide.md", "--max-calls", "1"]);
    assert_eq!(ended.code, Some(3));
    assert!(ended.stderr.contains("error[budget_exhausted]: "), "{}", ended.stderr);
    assert!(ended.stderr.contains("koinon budget raise"), "{}", ended.stderr);
    assert!(ended.stderr.contains("--max-calls"), "{}", ended.stderr);
}

#[test]
fn a_raise_needs_a_limit() {
    let place = Place::new();
    let id = "0193c0de-0000-7000-8000-000000000001";
    assert_eq!(place.json(&["budget", "raise", id]).0, Some(2));
    assert_eq!(place.json(&["budget", "raise", id, "--max-calls", "3"]).0, Some(1));
}
