//! The kinds of job that this program runs.

use koinon::domain::{ErrorCode, QueueName};
use koinon::runner::Workload as _;
use koinon::workloads::dataset::Dataset;

use crate::exit::Exit;
use crate::fault::Fault;

/// Every kind. Each waits in a queue of its own name.
pub(crate) const ALL: [&str; 1] = [Dataset::KIND];

/// Refuses a kind that this program does not have.
pub(crate) fn known(kind: &str) -> Result<(), Fault> {
    if ALL.contains(&kind) {
        return Ok(());
    }
    let summary = format!("there is no kind {kind:?}; there are: {}", ALL.join(", "));
    Err(Fault::new(ErrorCode::UNKNOWN_KIND, summary).exit(Exit::Usage))
}

/// The queues that their jobs wait in.
pub(crate) fn queues() -> Result<Vec<QueueName>, Fault> {
    let names = ALL.into_iter().map(QueueName::try_new);
    names.collect::<Result<_, _>>().map_err(|error| Fault::usage(error.to_string()))
}
