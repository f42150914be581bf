//! `koinon prune`: removes what is no longer kept.

use koinon::runner::{Sweep, Swept};
use koinon::store::Retention;
use serde::Serialize;
use tokio_util::sync::CancellationToken;

use super::Context;
use crate::exit::Exit;
use crate::fault::Fault;
use crate::open::Open;
use crate::signals::Signals;
use crate::view;

/// Options of `prune`.
#[derive(Debug, clap::Args)]
pub(crate) struct PruneArgs {
    /// Remove nothing, and say what would go
    #[arg(long)]
    dry_run: bool,
}

#[derive(Serialize)]
struct PrunedView {
    dry_run: bool,
    queues: Vec<QueueView>,
    blobs: u64,
    blob_bytes: u64,
    /// Databases that nobody configured and that keep blobs in the same store, which is why none goes.
    other_databases: u64,
    /// Datasources that could not be asked: their jobs stay, and no blob goes.
    unavailable: Vec<String>,
    unfinished: u64,
}

#[derive(Serialize)]
struct QueueView {
    queue: String,
    jobs: u64,
    events: u64,
    checkpoints: u64,
}

impl PrunedView {
    fn of(swept: Swept, sweep: Sweep) -> Self {
        let queues = swept.queues.into_iter().map(|(queue, pruned)| QueueView {
            queue: queue.to_string(),
            jobs: pruned.jobs,
            events: pruned.events,
            checkpoints: pruned.checkpoints,
        });
        Self {
            dry_run: sweep == Sweep::DryRun,
            queues: queues.collect(),
            blobs: swept.blobs,
            blob_bytes: swept.blob_bytes,
            other_databases: swept.other_databases,
            unavailable: swept.unavailable,
            unfinished: swept.unfinished,
        }
    }
}

pub(crate) async fn prune(context: &Context, args: PruneArgs) -> Result<Exit, Fault> {
    let mut signals = Signals::listen()?;
    let koinon = Open::new(context).open().await?;
    let sweep = if args.dry_run { Sweep::DryRun } else { Sweep::Remove };
    note_what_is_kept(context, &koinon.kept());
    let stop = CancellationToken::new();
    let swept = {
        let sweeping = koinon.prune(sweep, &stop);
        tokio::pin!(sweeping);
        tokio::select! {
            swept = &mut sweeping => swept,
            () = signals.next() => {
                stop.cancel();
                sweeping.await
            }
        }
    };
    koinon.close().await;
    let swept = swept?;
    note_why_blobs_stay(context, &swept);
    let exit = match swept.unavailable.is_empty() {
        _ if stop.is_cancelled() => Exit::Interrupted,
        true => Exit::Succeeded,
        false => Exit::Failed,
    };
    context.console.show(&PrunedView::of(swept, sweep), text)?;
    Ok(exit)
}

fn note_why_blobs_stay(context: &Context, swept: &Swept) {
    if !swept.unavailable.is_empty() {
        let datasources = swept.unavailable.join(", ");
        context.console.note(
            &format!("{datasources} cannot be reached: its jobs stay, and so does every blob"),
            "its rows may name blobs of the same artifact store; try again when it is back",
        );
    }
    if swept.other_databases > 0 {
        context.console.note(
            "blobs stay: rows of databases that are not configured here may name blobs of the same artifact \
             store",
            "give each database an artifact store of its own; docs/retention.md says more",
        );
    }
}

fn note_what_is_kept(context: &Context, kept: &Retention) {
    if kept.keeps_all() {
        context.console.note(
            "everything is kept for ever: the configuration says nothing else",
            "set retention.default.succeeded_for and others; docs/retention.md shows them",
        );
    } else if kept.orphans_for.is_none() {
        context.console.note(
            "blobs stay, whether a row names them or not",
            "set retention.orphans_for if the artifact store belongs to the configured databases alone",
        );
    }
}

fn text(pruned: &PrunedView) -> String {
    let header = ["queue", "jobs", "events", "checkpoints"];
    let rows = pruned.queues.iter().map(|queue| {
        let counts = [queue.jobs, queue.events, queue.checkpoints].map(|count| count.to_string());
        let [jobs, events, checkpoints] = counts;
        [queue.queue.clone(), jobs, events, checkpoints]
    });
    let mut text = if pruned.queues.is_empty() { String::new() } else { view::table(header, rows) };
    let verb = if pruned.dry_run { "would go" } else { "went" };
    let PrunedView { blobs, blob_bytes, unfinished, .. } = pruned;
    let jobs: u64 = pruned.queues.iter().map(|queue| queue.jobs).sum();
    text.push_str(&format!("{jobs} jobs and {blobs} blobs of {blob_bytes} bytes {verb}"));
    if *unfinished > 0 {
        text.push_str(&format!(", and {unfinished} files of interrupted writes"));
    }
    text.push('\n');
    text
}
