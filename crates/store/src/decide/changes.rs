//! The rows that a decision wants saved, and the pen that writes them.

use std::collections::BTreeMap;

use koinon_budget::{Axis, Mark};
use koinon_domain::{Cause, Event, EventName, JobStateError, State, Timestamp};

use crate::{Entry, Run, StoredCheckpoint};

/// What is to be saved, all in one transaction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Changes {
    /// The run row as it is now; it belongs among the outcomes once its state is terminal.
    pub run: Run,
    /// New events in their order.
    pub events: Vec<Event>,
    /// New ledger entries in their order.
    pub entries: Vec<Entry>,
    /// New checkpoints.
    pub checkpoints: Vec<StoredCheckpoint>,
}

impl Changes {
    /// Nothing yet, on this row.
    pub(crate) const fn new(run: Run) -> Self {
        Self { run, events: Vec::new(), entries: Vec::new(), checkpoints: Vec::new() }
    }

    /// Adds an event.
    pub(crate) fn tell<const N: usize>(
        &mut self,
        now: Timestamp,
        name: EventName,
        detail: [(&str, String); N],
    ) {
        let detail = detail.map(|(key, value)| (key.to_owned(), value));
        self.push(now, name, None, BTreeMap::from(detail));
    }

    /// Changes the state as the state machine says, with its event.
    pub(crate) fn transition<const N: usize>(
        &mut self,
        now: Timestamp,
        cause: Cause,
        detail: [(&str, String); N],
    ) -> Result<State, JobStateError> {
        let from = self.run.state;
        let to = from.after(cause)?;
        self.run.state = to;
        if to.is_terminal() {
            self.run.ended_at = Some(now);
        }
        let detail = detail.map(|(key, value)| (key.to_owned(), value));
        self.push(now, EventName::Transition(cause), Some(from), BTreeMap::from(detail));
        Ok(to)
    }

    /// Begins to run the job.
    pub(crate) fn start(&mut self, now: Timestamp) -> Result<(), JobStateError> {
        self.transition(now, Cause::Started, [])?;
        self.run.failed = None;
        Ok(())
    }

    /// Adds an event of a state, or of none.
    pub(crate) fn push(
        &mut self,
        now: Timestamp,
        name: EventName,
        from: Option<State>,
        detail: BTreeMap<String, String>,
    ) {
        let seq = self.run.event_seq.next();
        self.run.event_seq = seq;
        let to = from.is_some().then_some(self.run.state);
        let generation = self.run.generation;
        self.events.push(Event { seq, at: now, generation, name, from, to, detail });
    }

    /// Tells each mark of a limit that spending has reached and that was not told before.
    pub(crate) fn tell_marks(&mut self, now: Timestamp) {
        for axis in Axis::ALL {
            let Some(reached) = self.run.balance.mark(&self.run.limits, axis) else { continue };
            for mark in [Mark::Percent80, Mark::Percent100] {
                if mark <= reached && self.run.warned.tell(axis, mark) {
                    let limit = self.run.limits.on(axis).unwrap_or_default();
                    let spent = self.run.balance.spent_on(axis);
                    let detail = [
                        ("axis", axis.as_str().to_owned()),
                        ("percent", mark.percent().to_string()),
                        ("limit", limit.to_string()),
                        ("spent", spent.to_string()),
                    ];
                    self.tell(now, EventName::BudgetReached, detail);
                }
            }
        }
    }

    /// Counts the time since it was last counted as run time, up to the end of the lease. Time between
    /// the end of a lease and its renewal is never counted.
    pub(crate) fn count_run_time(&mut self, now: Timestamp) {
        if let Some(lease) = &mut self.run.lease {
            let to = now.min(lease.expires_at).max(lease.counted_to);
            self.run.balance.run_for += to.since(lease.counted_to);
            lease.counted_to = lease.counted_to.max(now);
        }
    }
}
