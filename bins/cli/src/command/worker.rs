//! `koinon worker`: works on the jobs that wait.

use std::path::PathBuf;

use koinon::domain::State;
use koinon::runner::{Drained, Until};
use koinon::store::{JobFilter, Listed};
use koinon::{Koinon, Role};
use serde::Serialize;

use super::Context;
use crate::exit::Exit;
use crate::fault::Fault;
use crate::instant;
use crate::kinds;
use crate::open::Open;
use crate::signals::Signals;

/// Options of `worker`.
#[derive(Debug, clap::Args)]
pub(crate) struct WorkerArgs {
    /// End when nothing is ready, leased or waits for a retry any more
    #[arg(long)]
    once: bool,
    /// Where the provider openai is, version path included
    #[arg(long, value_name = "URL")]
    base_url: Option<String>,
    /// A price profile that overrides the built-in one
    #[arg(long, value_name = "FILE")]
    prices: Option<PathBuf>,
}

#[derive(Serialize)]
struct Worked {
    worker_id: String,
    /// Whether everything was settled or handed back.
    clean: bool,
    calls: u64,
    replayed_calls: u64,
}

pub(crate) async fn worker(context: &Context, args: WorkerArgs) -> Result<Exit, Fault> {
    Role::Worker.check()?;
    let mut signals = Signals::listen()?;
    let koinon = Open::new(context)
        .provider("openai", args.base_url.as_deref())
        .prices(args.prices.as_deref())
        .open()
        .await?;
    let queues = kinds::queues()?;
    let until = if args.once { Until::Idle } else { Until::Stopped };
    let worker = koinon.worker(queues.clone());
    if until == Until::Stopped {
        context.console.remark("waiting for work; Ctrl-C ends it");
    }
    let dispatched = tokio::select! {
        dispatched = worker.dispatch(until) => dispatched,
        () = signals.next() => Ok(()),
    };
    let drained = tokio::select! {
        drained = worker.drain() => drained,
        () = signals.next() => {
            return Err(Fault::interrupted("ended at once, by a second signal"));
        }
    };
    dispatched?;
    if until == Until::Idle {
        note_deferred(context, &koinon).await?;
    }
    koinon.close().await;
    let worked = Worked {
        worker_id: worker.id().to_string(),
        clean: drained == Drained::Clean,
        calls: worker.tally().calls(),
        replayed_calls: worker.tally().replayed(),
    };
    context.console.show(&worked, |worked| {
        let end = if worked.clean {
            "everything is settled or handed back"
        } else {
            "some work was cut off"
        };
        format!("{end}; {} calls sent, {} replayed", worked.calls, worked.replayed_calls)
    })?;
    Ok(if worked.clean { Exit::Succeeded } else { Exit::Failed })
}

/// Jobs that this worker handed back, because it cannot run them, are still there.
async fn note_deferred(context: &Context, koinon: &Koinon) -> Result<(), Fault> {
    let filter = JobFilter { state: Some(State::Queued), ..JobFilter::default() };
    let left = koinon.jobs().jobs(koinon.tenant(), &filter, None, 1).await?;
    if let Some(job) = left.first().and_then(Listed::readable) {
        let id = job.spec.id;
        let summary = if job.run.ready_at > koinon.clock().now() {
            let ready_at = instant::short(job.run.ready_at);
            format!("job {id} is left for later, not before {ready_at} UTC")
        } else {
            format!("job {id} still waits")
        };
        context.console.note(&summary, &format!("`koinon job explain {id}` says why"));
    }
    Ok(())
}
