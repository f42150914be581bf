//! The tables, and the constraints that SQL would put on them.

use std::collections::{BTreeMap, BTreeSet};

use koinon_budget::Profile;
use koinon_domain::{
    Digest, Event, HoldId, JobId, QueueName, ScheduleName, StageName, State, TenantId, Timestamp,
    WorkerId,
};
use koinon_store::{
    CallRef, Entry, EntryKind, Error, Hold, HoldState, JobSpec, Run, Running, Schedule, SeenWorker,
    StoredCheckpoint, decide::Changes,
};

#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Rows {
    /// The latest instant at which anything was written.
    pub(super) time: Timestamp,
    pub(super) specs: BTreeMap<JobId, JobSpec>,
    /// The jobs of each identity, in the order of their submission.
    incarnations: BTreeMap<(TenantId, Digest), Vec<JobId>>,
    pub(super) runs: BTreeMap<JobId, Run>,
    pub(super) events: BTreeMap<JobId, Vec<Event>>,
    pub(super) checkpoints: BTreeMap<JobId, Vec<StoredCheckpoint>>,
    /// Of each job, in the order in which they were written.
    pub(super) ledger: BTreeMap<JobId, Vec<Entry>>,
    hold_jobs: BTreeMap<HoldId, JobId>,
    pub(super) profiles: Vec<Profile>,
    pub(super) damaged: BTreeSet<JobId>,
    /// Since when.
    pub(super) paused_queues: BTreeMap<QueueName, Timestamp>,
    pub(super) workers: BTreeMap<WorkerId, SeenWorker>,
    /// When recurring work comes next.
    pub(super) turns: BTreeMap<&'static str, Timestamp>,
    pub(super) schedules: BTreeMap<(TenantId, ScheduleName), Schedule>,
}

impl Rows {
    pub(super) fn spec(&self, job: JobId) -> Option<&JobSpec> {
        self.specs.get(&job)
    }

    /// The newest job of an identity.
    pub(super) fn newest(&self, tenant: &TenantId, identity: &Digest) -> Option<JobId> {
        self.incarnations.get(&(tenant.clone(), *identity))?.last().copied()
    }

    /// Adds a job as the newest of its identity.
    pub(super) fn add_job(&mut self, spec: JobSpec) {
        let identity = (spec.tenant.clone(), spec.identity);
        self.incarnations.entry(identity).or_default().push(spec.id);
        self.specs.insert(spec.id, spec);
    }

    /// Removes a job and what happened to it; what it spent stays.
    pub(super) fn remove_job(&mut self, job: JobId) {
        self.specs.remove(&job);
        self.incarnations.values_mut().for_each(|jobs| jobs.retain(|one| *one != job));
        self.runs.remove(&job);
        self.events.remove(&job);
        self.checkpoints.remove(&job);
        for entry in self.ledger.entry(job).or_default() {
            entry.answer = None;
        }
    }

    /// A run of the tenant.
    pub(super) fn run(&self, tenant: &TenantId, job: JobId) -> Option<&Run> {
        self.runs.get(&job).filter(|run| run.tenant == *tenant)
    }

    /// How many jobs of a queue are held.
    pub(super) fn running(&self, queue: &QueueName) -> Running {
        let mut running = Running::default();
        let held =
            |run: &&Run| run.queue == *queue && run.state.is_held() && run.set_aside_at.is_none();
        for run in self.runs.values().filter(held) {
            running.add(Some(run.tenant.clone()), 1);
        }
        running
    }

    /// Saves everything or, where a constraint forbids some of it, nothing.
    pub(super) fn save(&mut self, changes: Changes) -> Result<(), Error> {
        let job = changes.run.job;
        self.check_checkpoints(job, &changes.checkpoints)?;
        self.check_entries(job, &changes.entries)?;
        self.runs.insert(job, changes.run);
        self.events.entry(job).or_default().extend(changes.events);
        self.checkpoints.entry(job).or_default().extend(changes.checkpoints);
        self.hold_jobs.extend(changes.entries.iter().map(|entry| (entry.hold, job)));
        self.ledger.entry(job).or_default().extend(changes.entries);
        Ok(())
    }

    /// A checkpoint key has exactly one row.
    fn check_checkpoints(&self, job: JobId, new: &[StoredCheckpoint]) -> Result<(), Error> {
        let old = self.checkpoints.get(&job).into_iter().flatten();
        let mut keys: BTreeSet<_> = old.map(|checkpoint| &checkpoint.key).collect();
        match new.iter().find(|checkpoint| !keys.insert(&checkpoint.key)) {
            Some(twice) => Err(invalid(format!("a checkpoint of {} exists", twice.key.stage))),
            None => Ok(()),
        }
    }

    /// A hold opens once, ends once and is reconciled once; a call key has one usable answer.
    fn check_entries(&self, job: JobId, new: &[Entry]) -> Result<(), Error> {
        for (index, entry) in new.iter().enumerate() {
            let elsewhere = self.hold_jobs.get(&entry.hold).is_some_and(|other| *other != job);
            let clashes = |old: &Entry| {
                let again = old.hold == entry.hold && phase(old.kind) == phase(entry.kind);
                again || (old.usable && entry.usable && old.call == entry.call)
            };
            if elsewhere || self.entries(job).chain(&new[..index]).any(clashes) {
                return Err(invalid(format!("hold {} is {:?} again", entry.hold, entry.kind)));
            }
        }
        Ok(())
    }

    /// The ledger of a job.
    pub(super) fn entries(&self, job: JobId) -> impl Iterator<Item = &Entry> {
        self.ledger.get(&job).into_iter().flatten()
    }

    /// The holds of a job, in the order in which they were opened.
    pub(super) fn holds(&self, job: JobId) -> Vec<Hold> {
        let mut holds: Vec<Hold> = Vec::new();
        let mut places = BTreeMap::new();
        for entry in self.entries(job) {
            if let Some(place) = places.get(&entry.hold) {
                let hold: &mut Hold = &mut holds[*place];
                hold.state = state_after(entry.kind);
            } else {
                places.insert(entry.hold, holds.len());
                holds.push(opened(entry));
            }
        }
        holds
    }

    /// A hold, and whose it is.
    pub(super) fn hold(&self, id: HoldId) -> Option<(JobId, Hold)> {
        let job = *self.hold_jobs.get(&id)?;
        Some((job, self.holds(job).into_iter().find(|hold| hold.id == id)?))
    }

    /// Whether a call has an answer that serves replay.
    pub(super) fn is_answered(&self, job: JobId, call: &CallRef) -> bool {
        self.entries(job).any(|entry| entry.call == *call && entry.usable)
    }

    /// The calls of a stage that the ledger knows, each once.
    pub(super) fn calls(&self, job: JobId, stage: &StageName) -> BTreeSet<&CallRef> {
        let of_stage = self.entries(job).filter(|entry| entry.call.stage == *stage);
        of_stage.map(|entry| &entry.call).collect()
    }

    /// Whether it can be claimed.
    pub(super) fn is_ready(&self, run: &Run, now: Timestamp) -> bool {
        run.state == State::Queued
            && run.ready_at <= now
            && run.set_aside_at.is_none()
            && !self.paused_queues.contains_key(&run.queue)
    }

    pub(super) fn is_due(run: &Run, now: Timestamp) -> bool {
        run.state == State::RetryWait && run.ready_at <= now && run.set_aside_at.is_none()
    }

    pub(super) fn is_expired(run: &Run, now: Timestamp) -> bool {
        run.set_aside_at.is_none()
            && run.state.is_held()
            && run.lease.is_some_and(|lease| lease.expires_at < now)
    }
}

pub(super) fn invalid(what: String) -> Error {
    Error::Invalid(what)
}

/// An open hold has three ways to end, of which it takes one.
const fn phase(kind: EntryKind) -> u8 {
    match kind {
        EntryKind::Reserved => 0,
        EntryKind::Settled | EntryKind::Released | EntryKind::InDoubt => 1,
        EntryKind::Reconciled => 2,
    }
}

fn opened(entry: &Entry) -> Hold {
    Hold {
        id: entry.hold,
        state: state_after(entry.kind),
        generation: entry.generation,
        call: entry.call.clone(),
        priced: entry.priced.clone(),
        held: entry.amounts,
    }
}

const fn state_after(kind: EntryKind) -> HoldState {
    match kind {
        EntryKind::Reserved => HoldState::Open,
        EntryKind::InDoubt => HoldState::InDoubt,
        EntryKind::Settled | EntryKind::Released | EntryKind::Reconciled => HoldState::Ended,
    }
}
