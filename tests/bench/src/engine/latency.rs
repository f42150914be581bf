//! The time from a submission to the commit of its start, on a worker that has nothing else to do.
//!
//! Beside it stands a bare pair: one session inserts and notifies, another hears it and claims.

mod bare;
mod subject;
mod watched;

use std::time::Duration;

use koinon::store::{Clock as _, SystemClock};
use koinon_store_postgres::Notifications;

use super::report::{Report, Round};
use super::server::{Disk, Server};
use super::size::Size;
use bare::Bare;
use subject::Subject;

/// The rows: the median, the 99th percentile, and the longest without notifications.
pub(super) const ROWS: [&str; 3] = ["start_p50", "start_p99", "start_untold"];

/// So many starts are made before the first one counts.
const WARM_UP: usize = 20;

/// Measures the rows that are asked for.
pub(super) async fn measure(
    server: &Server,
    size: Size,
    wanted: impl Fn(&str) -> bool,
) -> anyhow::Result<Vec<Report>> {
    let [p50, p99, untold] = ROWS;
    let mut reports = Vec::new();
    if wanted(p50) || wanted(p99) {
        let (of_p50, of_p99) = told(server, size).await?;
        reports.extend([Report::of(p50, of_p50, None), Report::of(p99, of_p99, None)]);
        reports.retain(|report| wanted(report.row()));
    }
    if wanted(untold) {
        reports.push(Report::of(untold, longest_untold(server, size).await?, None));
    }
    Ok(reports)
}

/// The rounds of the median and of the 99th percentile. Subject and pair take turns.
async fn told(server: &Server, size: Size) -> anyhow::Result<(Vec<Round>, Vec<Round>)> {
    let (one, other) = (server.create(Disk::AsItIs).await?, server.create(Disk::AsItIs).await?);
    let mut bare = Bare::open(&one).await?;
    let mut subject = Subject::open(&other, Notifications::On).await?;
    let (mut p50, mut p99) = (Vec::new(), Vec::new());
    for round in 0..size.rounds() {
        let (mut of_bare, mut of_subject) = (Vec::new(), Vec::new());
        let warm_up = if round == 0 { WARM_UP } else { 0 };
        for start in 0..warm_up + size.starts() {
            let (floor, value) = (bare.start().await?, subject.start().await?);
            if start >= warm_up {
                of_bare.push(floor);
                of_subject.push(value);
            }
            until_another_phase(20, start).await;
        }
        for (rounds, percent) in [(&mut p50, 50), (&mut p99, 99)] {
            let base = Some(crate::percentile(&mut of_bare, percent));
            rounds.push(Round { value: crate::percentile(&mut of_subject, percent), base });
        }
    }
    bare.close().await?;
    subject.close().await;
    server.drop_all().await;
    Ok((p50, p99))
}

/// The longest start of each round without notifications, in seconds.
async fn longest_untold(server: &Server, size: Size) -> anyhow::Result<Vec<Round>> {
    let scratch = server.create(Disk::AsItIs).await?;
    let mut subject = Subject::open(&scratch, Notifications::Off).await?;
    let mut rounds = Vec::new();
    for _ in 0..size.rounds() {
        let mut value = 0.0_f64;
        for start in 0..size.untold() {
            until_another_phase(1_000, start).await;
            value = value.max(subject.start().await? / 1e3);
        }
        rounds.push(Round { value, base: None });
    }
    subject.close().await;
    server.drop_all().await;
    Ok(rounds)
}

/// Waits, so that the next start falls into another part of the time between two looks at the store.
async fn until_another_phase(most_ms: u64, start: usize) {
    let spread = (start as u64).wrapping_mul(617) % most_ms;
    tokio::time::sleep(Duration::from_millis(10 + spread)).await;
}

/// Milliseconds since an instant of the monotonic clock.
fn ms_since(clock: &SystemClock, began: Duration) -> f64 {
    (clock.monotonic() - began).as_secs_f64() * 1e3
}
