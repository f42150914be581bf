//! Which calls fail, and how.

use std::collections::BTreeMap;
use std::time::Duration;

/// A verb of the ports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verb {
    /// `JobStore::submit`
    Submit,
    /// `JobStore::job`
    Job,
    /// `JobStore::jobs`
    Jobs,
    /// `JobStore::events`
    Events,
    /// `JobStore::checkpoints`
    Checkpoints,
    /// `JobStore::control`
    Control,
    /// `LeaseStore::peek`
    Peek,
    /// `LeaseStore::claim`
    Claim,
    /// `LeaseStore::load`
    Load,
    /// `LeaseStore::heartbeat`
    Heartbeat,
    /// `LeaseStore::commit`
    Commit,
    /// `LeaseStore::recover`
    Recover,
    /// `LedgerStore::entries`
    Entries,
    /// `LedgerStore::calls`
    Calls,
    /// `LedgerStore::in_doubt`
    InDoubt,
    /// `LedgerStore::reconcile`
    Reconcile,
    /// `LedgerStore::keep_profile`
    KeepProfile,
    /// `QueueStore::backlog`
    Backlog,
    /// `QueueStore::pause` and `QueueStore::resume`
    PauseQueue,
    /// `WorkerStore::seen` and `WorkerStore::gone`
    NoteWorker,
    /// `WorkerStore::workers`
    Workers,
    /// `ScheduleStore::add_schedule`
    AddSchedule,
    /// `ScheduleStore::schedule`
    Schedule,
    /// `ScheduleStore::schedules`
    Schedules,
    /// `ScheduleStore::control_schedule`
    ControlSchedule,
    /// `ScheduleStore::remove_schedule`
    RemoveSchedule,
    /// `ScheduleStore::fire_schedules`
    FireSchedules,
    /// `RetentionStore::database_id`
    DatabaseId,
    /// `RetentionStore::ended_queues`
    EndedQueues,
    /// `RetentionStore::old_jobs`
    OldJobs,
    /// `RetentionStore::prune_jobs`
    PruneJobs,
    /// `RetentionStore::take_turn`
    TakeTurn,
    /// `RetentionStore::held_since`
    HeldSince,
    /// `RetentionStore::blob_names`
    BlobNames,
}

/// How a call fails. Its caller sees [`koinon_store::Error::Unavailable`], unless it is only slow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Fault {
    /// It takes effect, and its reply comes so much later.
    Slow(Duration),
    /// It never reaches the store.
    Before,
    /// It takes effect, and its reply is lost.
    After,
}

#[derive(Debug, Default)]
pub(super) struct Plan {
    calls: BTreeMap<Verb, u64>,
    once: BTreeMap<(Verb, u64), Fault>,
    every: BTreeMap<Verb, (u64, Fault)>,
}

impl Plan {
    pub(super) fn nth(&mut self, verb: Verb, nth: u64, fault: Fault) {
        let nth = self.count(verb) + nth;
        self.once.insert((verb, nth), fault);
    }

    pub(super) fn every(&mut self, verb: Verb, k: u64, fault: Fault) {
        self.every.insert(verb, (k.max(1), fault));
    }

    pub(super) fn clear(&mut self) {
        self.once.clear();
        self.every.clear();
    }

    pub(super) fn count(&self, verb: Verb) -> u64 {
        self.calls.get(&verb).copied().unwrap_or_default()
    }

    /// Counts a call and says how it fails, if it does.
    pub(super) fn next(&mut self, verb: Verb) -> Option<Fault> {
        let calls = self.calls.entry(verb).or_default();
        *calls += 1;
        let calls = *calls;
        let every = self.every.get(&verb).filter(|(k, _)| calls.is_multiple_of(*k));
        self.once.remove(&(verb, calls)).or(every.map(|(_, fault)| *fault))
    }
}
