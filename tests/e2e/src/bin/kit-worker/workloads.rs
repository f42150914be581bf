//! The test workloads, one module each. Each waits in the queue of its kind's name.

mod abort;
mod ignore_signal;
mod nest;
mod sleep;
mod spawn_child;
mod spend;
mod spin;

use koinon::Builder;

use abort::Abort;
use ignore_signal::IgnoreSignal;
use nest::Nest;
use sleep::Sleep;
use spawn_child::SpawnChild;
use spend::Spend;
use spin::Spin;

/// Adds them all.
pub(crate) fn add_to(builder: Builder) -> Builder {
    let builder = builder.workload(Abort).workload(IgnoreSignal).workload(Nest).workload(Sleep);
    builder.workload(SpawnChild).workload(Spend).workload(Spin)
}
