//! The test workloads, one module each. Each waits in the queue of its kind's name.

mod abort;
mod spend;

use koinon::Builder;
use koinon::prelude::{QueueName, Workload as _};

use abort::Abort;
use spend::Spend;

/// Every kind.
const KINDS: [&str; 2] = [Abort::KIND, Spend::KIND];

/// Adds them all.
pub(crate) fn add_to(builder: Builder) -> Builder {
    builder.workload(Abort).workload(Spend)
}

/// The queues that their jobs wait in.
pub(crate) fn queues() -> anyhow::Result<Vec<QueueName>> {
    let names = KINDS.into_iter().map(QueueName::try_new);
    Ok(names.collect::<Result<_, _>>()?)
}
