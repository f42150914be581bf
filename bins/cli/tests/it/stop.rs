//! Stopping a run: by signals, and from a second terminal.

use std::process::{Child, Command};

use crate::place::{Ended, Place};
use crate::server::Server;

/// So short that a test of what happens after it does not take long.
const SOON: [(&str, &str); 2] =
    [("KOINON_OPERATIONS__DRAIN_FOR", "50ms"), ("KOINON_OPERATIONS__FLUSH_FOR", "50ms")];

fn args(server: &Server) -> Vec<String> {
    let args = ["run", "dataset", "guide.md", "--provider", "openai", "--model", "m", "--json"];
    let args = args.into_iter().map(str::to_owned);
    args.chain(["--base-url".to_owned(), server.url().to_owned()]).collect()
}

fn start(place: &Place, server: &Server, variables: &[(&str, &str)]) -> Child {
    let args = args(server);
    place.start(&args.iter().map(String::as_str).collect::<Vec<_>>(), variables)
}

fn signal(child: &Child, name: &str) {
    let status = Command::new("kill").args([name, &child.id().to_string()]).status().unwrap();
    assert!(status.success());
}

fn ended(child: Child) -> Ended {
    Ended::of(child.wait_with_output().unwrap())
}

#[test]
fn a_signal_hands_the_job_back_and_the_same_command_finishes_it() {
    let place = Place::new();
    for name in ["-INT", "-TERM"] {
        let server = Server::closed();
        let child = start(&place, &server, &SOON);
        server.next_request();
        signal(&child, name);
        let stopped = ended(child);
        let run = stopped.object();
        assert_eq!((stopped.code, &run["state"]), (Some(130), &"queued".into()), "{name}: {run}");
        assert_eq!(run["attempt"], 0, "the attempt is given back");
        assert!(stopped.stderr.contains("error[interrupted]: "), "{}", stopped.stderr);
    }
    let server = Server::closed();
    server.open();
    let done = ended(start(&place, &server, &[]));
    assert_eq!((done.code, &done.object()["state"]), (Some(0), &"succeeded".into()));
}

#[test]
fn a_second_signal_ends_it_at_once() {
    let place = Place::new();
    let server = Server::closed();
    let child = start(&place, &server, &[("KOINON_OPERATIONS__DRAIN_FOR", "1h")]);
    server.next_request();
    signal(&child, "-INT");
    signal(&child, "-TERM");
    assert_eq!(ended(child).code, Some(130));
}

#[test]
fn a_pause_and_a_cancel_from_a_second_terminal_end_the_run() {
    let place = Place::new();
    for (verb, during, after, code) in
        [("pause", "pausing", "paused", 3), ("cancel", "cancelling", "cancelled", 4)]
    {
        let server = Server::closed();
        let child = start(&place, &server, &SOON);
        server.next_request();
        let (_, list) = place.json(&["job", "list"]);
        let id = list["jobs"][0]["job_id"].as_str().unwrap();
        let (asked, job) = place.json(&["job", verb, id]);
        let state = job["state"].as_str().unwrap();
        assert!(asked == Some(0) && [during, after].contains(&state), "{verb}: {job}");
        let run = ended(child);
        assert_eq!((run.code, &run.object()["state"]), (Some(code), &after.into()), "{verb}");
        assert!(server.requests().len() < 4, "nothing starts after a {verb}");
    }
}

#[test]
fn a_call_in_doubt_is_settled_or_released_once() {
    let place = Place::new();
    let server = Server::closed();
    let child = start(&place, &server, &SOON);
    server.next_request();
    signal(&child, "-INT");
    let run = ended(child).object();
    let (_, list) = place.json(&["ledger", "in-doubt", run["job_id"].as_str().unwrap()]);
    let holds = list["holds"].as_array().unwrap();
    assert_eq!(run["calls"], holds.len());
    let hold = holds[0]["hold"].as_str().unwrap();
    let settle = ["ledger", "settle", hold, "--cost-usd", "0.25"];
    let (code, settled) = place.json(&settle);
    assert_eq!((code, &settled["cost_usd"]), (Some(0), &"0.25".into()));
    let (_, job) = place.json(&["job", "status", run["job_id"].as_str().unwrap()]);
    assert_eq!(job["spent_usd"], "0.25");
    for again in [&settle[..], &["ledger", "release", hold]] {
        let (code, refused) = place.json(again);
        assert_eq!((code, &refused["error_code"]), (Some(1), &"hold_not_in_doubt".into()));
    }
}
