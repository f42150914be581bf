//! A rolling restart under load: every worker is told to stop, one after another, and replaced by a new one.

use std::fmt;
use std::path::Path;
use std::time::Duration;

use tokio::time::{Instant, sleep};

use crate::load::{Held, Load, Plan, stop};

/// What was seen, besides that every promise held.
#[derive(Debug)]
pub struct Seen {
    /// How long each worker took from the signal to its end.
    pub stopped: Vec<Duration>,
    /// How many jobs there were.
    pub jobs: usize,
    /// How many requests reached the provider.
    pub calls: usize,
    /// How often a job was handed back.
    pub handed_back: usize,
    /// How long all of it took.
    pub took: Duration,
}

impl fmt::Display for Seen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { stopped, jobs, calls, handed_back, took } = self;
        let longest = stopped.iter().max().copied().unwrap_or_default();
        write!(
            f,
            "{jobs} jobs succeeded in {took:.1?} under {} restarts, the longest of {longest:.1?}; {calls} \
             calls, none repeated; {handed_back} times a job was handed back, no attempt was spent",
            stopped.len()
        )
    }
}

/// Restarts the workers of this program while they work, and holds what comes of it against the promises:
/// every job succeeds, no attempt is spent, no lease is lost, no call is repeated or in doubt, and every
/// worker exits with 0.
pub async fn roll(program: &Path, plan: Plan) -> Seen {
    let began = Instant::now();
    let (jobs, load) = (plan.jobs, Load::new(program, plan).await);
    load.submit(&load.kit, 0..jobs).await;

    let mut workers: Vec<_> = (0..load.plan.workers).map(|_| load.kit.work(&[])).collect();
    let mut stopped = Vec::new();
    for number in 0..load.plan.workers {
        sleep(load.plan.pause).await;
        workers.push(load.kit.work(&[]));
        stopped.push(stop(&mut workers[number]).await);
    }
    load.until_ended(jobs).await;
    for worker in &mut workers[load.plan.workers..] {
        stopped.push(stop(worker).await);
    }

    let Held { calls, handed_back } = load.held().await;
    Seen { stopped, jobs, calls, handed_back, took: began.elapsed() }
}
