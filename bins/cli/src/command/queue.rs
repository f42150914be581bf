//! `koinon queue`: looks at queues, pauses them, and lets them go on.

use clap::Subcommand;
use koinon::domain::QueueName;
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
