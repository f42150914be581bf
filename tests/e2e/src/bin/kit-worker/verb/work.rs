//! `kit-worker work`: works on the test workloads until it is told to stop.

use std::process::ExitCode;

use anyhow::bail;
use koinon::prelude::{Drained, Until};
use serde::Serialize;

use super::tell;
use crate::args::Args;
use crate::signals::Signals;
use crate::{engine, workloads};

/// The first line on standard output: who a claim of this process belongs to.
#[derive(Serialize)]
struct Started {
    worker_id: String,
    pid: u32,
}

/// The last line, unless the process was killed.
#[derive(Serialize)]
struct Worked {
    /// Whether everything was settled or handed back.
    clean: bool,
    calls: u64,
    replayed_calls: u64,
}

pub(crate) async fn work(args: &Args) -> anyhow::Result<ExitCode> {
    let mut signals = Signals::listen()?;
    let koinon = engine::open(args).await?;
    let queues = workloads::queues()?;
    let worker = koinon.worker(queues.clone());
    tell(&Started { worker_id: worker.id().to_string(), pid: std::process::id() })?;
    let dispatched = tokio::select! {
        dispatched = worker.dispatch(Until::Stopped) => dispatched,
        () = signals.next() => Ok(()),
    };
    let drained = tokio::select! {
        drained = worker.drain() => drained,
        () = signals.next() => bail!("ended at once, by a second signal"),
    };
    dispatched?;
    koinon.close().await;
    let clean = drained == Drained::Clean;
    let tally = worker.tally();
    tell(&Worked { clean, calls: tally.calls(), replayed_calls: tally.replayed() })?;
    Ok(if clean { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
