//! How much of a run's row a decision changes, so that an adapter need not write all of it.

use crate::Run;

/// Which columns of a row are to be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Width {
    /// What a checkpoint in the midst of a claim changes: the losses and the checkpoint of the streaks, the
    /// numbers of the last event and the last commit, run time and how far it is counted, progress. Nothing that a
    /// job is looked for by.
    Checkpoints,
    /// That, and the state: what a start changes.
    Starts,
    /// That, and what claims and heartbeats change: generation, attempt, lease.
    Steps,
    /// That, and what a hold changes: what is spent and reserved, the items, the open holds.
    Paid,
    /// What the end of a claim changes as the run becomes an outcome: what a step changes but the generation,
    /// why it failed, its manifest, when it ended. No hold is open.
    Ends,
    /// Anything.
    Whole,
}

impl Width {
    /// The narrowest that has everything in which a row differs from how it was locked.
    #[must_use]
    pub fn of(mut before: Run, after: &Run) -> Self {
        let (from, to) = (before.state, after.state);
        let goes_on = from.is_held() && to.is_held();
        before.streaks.losses_without_checkpoint = after.streaks.losses_without_checkpoint;
        before.streaks.checkpointed = after.streaks.checkpointed;
        before.event_seq = after.event_seq;
        before.last_commit = after.last_commit;
        before.balance.run_for = after.balance.run_for;
        before.progress.clone_from(&after.progress);
        if let (Some(lease), Some(now)) = (&mut before.lease, &after.lease) {
            lease.counted_to = now.counted_to;
        }
        if goes_on && before == *after {
            return Self::Checkpoints;
        }
        before.state = after.state;
        if goes_on && before == *after {
            return Self::Starts;
        }
        before.attempt = after.attempt;
        before.lease = after.lease;
        match (from.is_terminal(), to.is_terminal()) {
            (false, false) => Self::of_living(before, after),
            (false, true) => Self::of_ended(before, after),
            (true, _) => Self::Whole,
        }
    }

    fn of_living(mut before: Run, after: &Run) -> Self {
        before.generation = after.generation;
        if before == *after {
            return Self::Steps;
        }
        before.balance.spent = after.balance.spent;
        before.balance.reserved = after.balance.reserved;
        before.balance.items = after.balance.items;
        before.open_holds = after.open_holds;
        if before == *after { Self::Paid } else { Self::Whole }
    }

    fn of_ended(mut before: Run, after: &Run) -> Self {
        before.failed.clone_from(&after.failed);
        before.manifest.clone_from(&after.manifest);
        before.ended_at = after.ended_at;
        before.open_holds = 0;
        if before == *after { Self::Ends } else { Self::Whole }
    }
}
