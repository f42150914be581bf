//! Schedules, with several workers that come and go.

use std::collections::BTreeSet;
use std::time::Duration;

use jiff::Timestamp;
use koinon_e2e::{Koinon, Process, Store};
use serde_json::Value;

on_each_store! {
    each_tick_makes_one_job_however_many_workers_there_are
    a_paused_schedule_makes_no_job_while_others_do
}

/// So many ticks are watched; they come once a second.
const TICKS: i64 = 10;

/// The longest that so many ticks may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(90);

/// How long to wait between two looks at a schedule.
const LOOK_EVERY: Duration = Duration::from_millis(200);

/// A schedule of a kind that nobody runs, so that its jobs stay as they are.
async fn every_second(koinon: &Koinon, name: &str) {
    koinon.write("input.json", "{}");
    let args = ["schedule", "add", name, "--every", "1s", "--missed", "all", "--kind", name];
    let args = [&args[..], &["--unknown-kind", "--payload", "input.json"]].concat();
    let _added = koinon.run(&args).await.with_code(0);
}

async fn schedule(koinon: &Koinon, name: &str) -> Value {
    let list = koinon.json(&["schedule", "list", "--json"]).await;
    let of_name = |one: &&Value| one["name"] == name;
    list["schedules"].as_array().unwrap().iter().find(of_name).unwrap().clone()
}

/// Waits until a schedule has ticked so often since it was added.
async fn ticked(koinon: &Koinon, name: &str, ticks: i64) {
    let looked = async {
        while ticks_of(&schedule(koinon, name).await, "last_tick_at") < ticks {
            tokio::time::sleep(LOOK_EVERY).await;
        }
    };
    tokio::time::timeout(PATIENCE, looked).await.unwrap();
}

/// How many seconds behind its beginning a schedule's instant is, which is how often it has ticked till then.
fn ticks_of(schedule: &Value, at: &str) -> i64 {
    let millis =
        |at| schedule[at].as_str().map(|at| at.parse::<Timestamp>().unwrap().as_millisecond());
    millis(at).map_or(0, |at| (at - millis("added_at").unwrap()) / 1_000)
}

/// The jobs of a kind. The ids tell the ticks: they begin with the milliseconds of their instant.
async fn jobs(koinon: &Koinon, kind: &str) -> Vec<i64> {
    let args = ["job", "list", "--kind", kind, "--limit", "1000", "--json"];
    let list = koinon.json(&args).await;
    let millis = |job: &Value| {
        let digits = job["job_id"].as_str().unwrap().replace('-', "");
        i64::from_str_radix(&digits[..12], 16).unwrap()
    };
    list["jobs"].as_array().unwrap().iter().map(millis).collect()
}

fn workers<const N: usize>(koinon: &Koinon) -> [Process; N] {
    [(); N].map(|()| koinon.start(&["worker"]))
}

async fn each_tick_makes_one_job_however_many_workers_there_are(store: Store) {
    let koinon = Koinon::on(store);
    every_second(&koinon, "pulse").await;
    let [first, second, third, fourth] = workers(&koinon);
    ticked(&koinon, "pulse", TICKS / 2).await;
    assert!(first.kill().await);
    let fifth = koinon.start(&["worker"]);
    ticked(&koinon, "pulse", TICKS).await;
    let paused = koinon.json(&["schedule", "pause", "pulse", "--json"]).await;

    let jobs = jobs(&koinon, "pulse").await;
    let ticks = ticks_of(&paused, "last_tick_at");
    assert!(ticks >= TICKS, "{paused}");
    assert_eq!(i64::try_from(jobs.len()).unwrap(), ticks, "{paused}: {jobs:?}");
    let distinct: BTreeSet<i64> = jobs.into_iter().collect();
    let steps: Vec<i64> =
        distinct.iter().zip(distinct.iter().skip(1)).map(|(a, b)| b - a).collect();
    assert!(steps.iter().all(|step| *step == 1_000), "a tick is missing or doubled: {steps:?}");
    for worker in [second, third, fourth, fifth] {
        assert!(worker.kill().await);
    }
}

async fn a_paused_schedule_makes_no_job_while_others_do(store: Store) {
    let koinon = Koinon::on(store);
    every_second(&koinon, "pulse").await;
    every_second(&koinon, "other").await;
    let [one, two] = workers(&koinon);
    ticked(&koinon, "pulse", 2).await;
    let paused = koinon.json(&["schedule", "pause", "pulse", "--json"]).await;
    assert_eq!((&paused["state"], &paused["next_at"]), (&"paused".into(), &Value::Null));
    let before = jobs(&koinon, "pulse").await;
    let seen = ticks_of(&schedule(&koinon, "other").await, "last_tick_at");
    ticked(&koinon, "other", seen + 3).await;
    assert_eq!(jobs(&koinon, "pulse").await, before);

    let resumed = koinon.json(&["schedule", "resume", "pulse", "--json"]).await;
    let ticks = ticks_of(&resumed, "next_at");
    ticked(&koinon, "pulse", ticks).await;
    assert!(jobs(&koinon, "pulse").await.len() > before.len());
    for worker in [one, two] {
        assert!(worker.kill().await);
    }
}
