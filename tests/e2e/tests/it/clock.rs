//! A worker whose clock is wrong, on a database whose clock decides.

use std::collections::BTreeSet;
use std::time::Duration;

use koinon_e2e::{Asked, Audit, Koinon, Reply, Server, Store};

const DEADLINE: Duration = Duration::from_secs(100);
const LEASE: Duration = Duration::from_secs(3);
const HOUR_S: i64 = 3_600;

/// The time of day that a process saw, in seconds since 1970, as it stands on the first line of its log.
fn seen_at(log: &str) -> i64 {
    let stamp = log.split_whitespace().next().expect("a line of its log");
    let (date, time) = stamp.split_once('T').unwrap_or_else(|| panic!("no instant: {log}"));
    let numbers = |text: &str, by: char| -> Vec<i64> {
        text.trim_end_matches('Z')
            .split(by)
            .map(|part| part.split('.').next().unwrap().parse().unwrap())
            .collect()
    };
    let (date, time) = (numbers(date, '-'), numbers(time, ':'));
    // Source: days from the civil date, Hinnant, https://howardhinnant.github.io/date_algorithms.html
    let year = date[0] - i64::from(date[1] <= 2);
    let day_of_year = (153 * ((date[1] + 9) % 12) + 2) / 5 + date[2] - 1;
    let days = year * 365 + year / 4 - year / 100 + year / 400 + day_of_year - 719_468;
    days * 86_400 + time[0] * 3_600 + time[1] * 60 + time[2]
}

/// Two workers share four jobs whose calls outlast a lease together; the clock of one is off by this.
async fn neither_steals_nor_starves(offset: &str, offset_s: i64) {
    koinon_cluster::need_faketime().unwrap();
    let koinon = Koinon::on(Store::Postgres)
        .having_corpus(4)
        .env("KOINON_OPERATIONS__LEASE_FOR", "3s")
        .env("FAKETIME_DONT_FAKE_MONOTONIC", "1")
        .env("RUST_LOG", "warn,sqlx_postgres=debug");
    let reply = |asked: &Asked| match asked.number {
        0 => Reply::error(429, &[("retry-after", "4")], "rate_limit_exceeded"),
        _ => Reply::answer(asked).after(LEASE / 2),
    };
    let server = Server::start(reply).await;
    for number in 0..4 {
        let seed = format!("seed={number}");
        let more = ["--set", "target=4", "--set", "concurrency=1", "--set", &seed];
        let mut submit = Koinon::dataset(&server, &more);
        submit[1] = "submit".to_owned();
        submit.retain(|word| word != "--out" && word != "out");
        let _submitted = koinon.run(&submit).await.with_code(0);
    }

    let base_url = server.base_url();
    let work = ["worker", "--once", "--base-url", &base_url, "--prices", "prices.toml"];
    let line = format!(r#"exec faketime -f {offset} "$@""#);
    let (right, wrong) = (koinon.start(&work), koinon.start_in_shell(&line, &work));
    server.until_asked(4).await;
    let (right_at, wrong_at) = (seen_at(&right.stderr()), seen_at(&wrong.stderr()));
    let difference_s = wrong_at - right_at;
    assert!((difference_s - offset_s).abs() < 120, "the clocks differ by {difference_s} s");
    for worker in [right, wrong] {
        let _done = worker.ended_within(DEADLINE).await.with_code(0);
    }

    let jobs = Audit::all(&koinon).await;
    let mut workers = BTreeSet::new();
    for job in &jobs {
        let standing = &job.standing;
        assert_eq!((standing.state.as_str(), standing.lease_losses), ("succeeded", 0));
        assert!(job.entries("in_doubt").is_empty());
        assert_eq!(job.events("claimed").len(), 1 + job.events("retryable").len(), "{job:#?}");
        workers.extend(job.events("claimed").into_iter().map(|event| {
            let detail: serde_json::Value = serde_json::from_str(&event.detail).unwrap();
            detail["worker"].as_str().unwrap().to_owned()
        }));
    }
    assert_eq!(jobs.len(), 4);
    assert_eq!(workers.len(), 2, "one of the workers did nothing");
    let log = server.requests();
    assert_eq!(log.len(), 17, "16 calls, and one that was refused at first");
    let again = log[1..].iter().find(|one| one.asked.key == log[0].asked.key).unwrap();
    let waited_us = again.asked.at_us - log[0].asked.at_us;
    assert!((4_000_000..60_000_000).contains(&waited_us), "it waited {waited_us} us");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_whose_clock_is_an_hour_fast_neither_steals_nor_starves() {
    neither_steals_nor_starves("+1h", HOUR_S).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_whose_clock_is_an_hour_slow_neither_steals_nor_starves() {
    neither_steals_nor_starves("-1h", -HOUR_S).await;
}
