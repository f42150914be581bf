//! A worker says that it is still there.

use std::time::Duration;

use koinon_budget::Axis;
use koinon_domain::{Generation, Timestamp, WorkerId};

use super::{Changes, commit};
use crate::{Beat, Run, Signal};

/// What a heartbeat makes of a run: the row to be saved, if it changes, and the answer.
///
/// Run time is counted, the lease is renewed, and an expired lease that nobody has overtaken counts
/// as held.
#[must_use]
pub fn heartbeat(
    run: Run,
    owner: WorkerId,
    generation: Generation,
    lease_for: Duration,
    now: Timestamp,
) -> (Option<Box<Changes>>, Beat) {
    let holds = run.generation == generation
        && run.state.is_held()
        && run.lease.is_some_and(|lease| lease.owner == owner);
    if !holds {
        return (None, Beat::Lost);
    }
    let mut changes = Changes::new(run);
    changes.count_run_time(now);
    changes.tell_marks(now);
    if let Some(lease) = &mut changes.run.lease {
        lease.expires_at = now.after(lease_for);
    }
    let signal = match commit::signal(&changes.run) {
        Signal::Continue if out_of_time(&changes.run) => commit::over_budget(&changes.run),
        other => other,
    };
    (Some(Box::new(changes)), Beat::Held(signal))
}

fn out_of_time(run: &Run) -> bool {
    run.balance.overrun(&run.limits) == Some(Axis::RunFor)
}
