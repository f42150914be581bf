//! How long a look at the backlog takes, in a database with a long history, while workers claim and finish jobs.

mod load;
mod looks;
mod standing;

use std::time::Duration;

use anyhow::ensure;
use koinon::store::{Clock as _, SystemClock};

use super::report::{Report, Round};
use super::server::{Disk, Scratch, Server};
use super::size::Size;
use super::subject;
use load::Load;
use looks::{Counts, Looks};
use standing::Standing;

/// The rows: the median and the 95th percentile of what `koinon backlog` asks, and the 95th percentile of the
/// function of the autoscaler.
pub(super) const ROWS: [&str; 3] = ["backlog_p50", "backlog_p95", "scaler_p95"];

/// What passes between two looks.
const BETWEEN_LOOKS: Duration = Duration::from_millis(20);

/// Measures the rows that are asked for, and says what the looks saw.
pub(super) async fn measure(
    server: &Server,
    size: Size,
    wanted: impl Fn(&str) -> bool,
) -> anyhow::Result<Vec<Report>> {
    let scratch = server.create(Disk::AsItIs).await?;
    let role = server.create_role(&scratch).await?;
    let measured = on(&scratch, &role, size).await;
    server.drop_all().await;
    let mut reports = measured?;
    reports.retain(|report| wanted(report.row()));
    Ok(reports)
}

async fn on(scratch: &Scratch, role: &str, size: Size) -> anyhow::Result<Vec<Report>> {
    let settings = subject::prepare(scratch).await?;
    let standing = Standing::of(size);
    standing.fill(scratch, &settings).await?;
    let mut looks = Looks::open(scratch, &settings, role).await?;
    let still = looks.agreed().await?;
    ensure!(still == standing.counts(), "there is {still}, and not {}", standing.counts());
    standing.fill_load(scratch, &settings).await?;

    let load = Load::start(&settings).await?;
    let (began, before) = (SystemClock::new(), looks.finished().await?);
    let start = began.monotonic();
    let (mut p50, mut p95, mut of_function) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..size.rounds() {
        let (mut snapshots, mut function) = (Vec::new(), Vec::new());
        for _ in 0..size.looks() {
            let (ms, counts) = looks.snapshot().await?;
            still_there(counts, still)?;
            snapshots.push(ms);
            tokio::time::sleep(BETWEEN_LOOKS).await;
            let (ms, counts) = looks.function().await?;
            still_there(counts, still)?;
            function.push(ms);
            tokio::time::sleep(BETWEEN_LOOKS).await;
        }
        let round = |times: &mut [f64], percent| {
            let value = crate::percentile(times, percent);
            Round { value, base: None }
        };
        p50.push(round(&mut snapshots, 50));
        p95.push(round(&mut snapshots, 95));
        of_function.push(round(&mut function, 95));
    }
    let took = began.monotonic() - start;
    let finished = looks.finished().await?.saturating_sub(before);
    load.end().await?;
    ensure!(finished > 0, "the workers finished nothing");
    let after = looks.agreed().await?;
    let same = Counts { ready: after.ready, ..still };
    ensure!(after == same, "after the load there is {after}, and not {same}");
    looks.close().await?;

    let rate = subject::per_s(finished, took);
    let [of_p50, of_p95, of_scaler] = ROWS;
    let saw = vec![
        format!("before the load: {still}; the function of the autoscaler says the same"),
        format!("beside the looks the workers finished {rate:.0} jobs/s"),
        format!("after the load: {after}; the function of the autoscaler says the same"),
    ];
    Ok(vec![
        Report::of(of_p50, p50, None),
        Report::of(of_p95, p95, None).saying(saw),
        Report::of(of_scaler, of_function, None),
    ])
}

/// What must be seen under load: jobs that wait or stand still as before, and not more at work than there can
/// be.
fn still_there(seen: Counts, still: Counts) -> anyhow::Result<()> {
    let same = Counts { ready: seen.ready, active: seen.active, ..still };
    let most = still.active + load::MOST_ACTIVE;
    ensure!(seen == same, "there is {seen} where nothing but jobs at work may differ from {still}");
    ensure!(seen.ready > 0, "the workers have nothing left to claim");
    ensure!(
        (still.active..=most).contains(&seen.active),
        "{} jobs are active, {} of them held by nobody who works and {most} at the most",
        seen.active,
        still.active
    );
    Ok(())
}
