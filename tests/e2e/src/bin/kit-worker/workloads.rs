//! The test workloads, one module each. Each waits in the queue of its kind's name.

mod abort;
mod spend;

use koinon::Builder;

use abort::Abort;
use spend::Spend;

/// Adds them all.
pub(crate) fn add_to(builder: Builder) -> Builder {
    builder.workload(Abort).workload(Spend)
}
