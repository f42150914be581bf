//! `koinon queue`: looks at queues, pauses them, and lets them go on.

use clap::Subcommand;
use koinon::domain::QueueName;
use koinon::{Availability, DatasourceBacklog, Koinon};
use serde::Serialize;

use super::{Context, backlog};
use crate::exit::Exit;
use crate::fault::Fault;
use crate::open::Open;

/// The commands of `queue`.
#[derive(Debug, Subcommand)]
pub(crate) enum QueueCommand {
    /// Show how much waits and runs in each queue, as `koinon backlog` does
    List,
    /// Claim nothing more from a queue; what runs goes on
    Pause(QueueArg),
    /// Let a paused queue go on
    Resume(QueueArg),
}

/// The queue that a command is about.
#[derive(Debug, clap::Args)]
pub(crate) struct QueueArg {
    /// The queue, such as dataset
    #[arg(value_name = "QUEUE", value_parser = queue_name)]
    queue: QueueName,
}

#[derive(Serialize)]
struct Steered {
    queue: String,
    paused: bool,
    /// Whether it was otherwise before.
    changed: bool,
}

fn queue_name(text: &str) -> Result<QueueName, String> {
    QueueName::try_new(text).map_err(|error| error.to_string())
}

pub(crate) async fn queue(context: &Context, command: QueueCommand) -> Result<Exit, Fault> {
    let (queue, paused) = match command {
        QueueCommand::List => return backlog::backlog(context).await,
        QueueCommand::Pause(arg) => (arg.queue, true),
        QueueCommand::Resume(arg) => (arg.queue, false),
    };
    let koinon = Open::new(context).open().await?;
    if paused && is_unheard_of(&koinon, &queue).await? {
        context.console.note(
            &format!("no queue {queue} is known here, so nothing may come of it"),
            "`koinon queue list` shows the queues that are built in, configured, or have jobs",
        );
    }
    let changed =
        if paused { koinon.pause_queue(&queue).await } else { koinon.resume_queue(&queue).await };
    koinon.close().await;
    let steered = Steered { queue: queue.to_string(), paused, changed: changed? };
    context.console.show(&steered, |steered| {
        let Steered { queue, paused, changed } = steered;
        let state = if *paused { "paused" } else { "not paused" };
        let was = if *changed { "" } else { ", as it was before" };
        format!("queue {queue} is {state}{was}")
    })?;
    Ok(Exit::Succeeded)
}

/// Whether a queue is not built in, not configured, and has no job. One whose database does not answer may have some.
async fn is_unheard_of(koinon: &Koinon, queue: &QueueName) -> Result<bool, Fault> {
    let backlog = koinon.backlog()?;
    let snapshot = backlog.snapshot().await;
    backlog.close().await;
    let is_elsewhere = |datasource: &DatasourceBacklog| match &datasource.queues {
        Availability::Available(queues) => queues.iter().all(|one| one.backlog.queue != *queue),
        Availability::Unavailable { .. } => false,
    };
    Ok(snapshot.is_ok_and(|snapshot| snapshot.datasources.iter().all(is_elsewhere)))
}
