//! Claims and sweeps beside verbs that have rows locked.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use koinon_domain::{JobId, QueueName, Timestamp};
use koinon_store::{
    ClaimRequest, Claimed, Error, HoldState, RecoverRequest, Recovered, Run, Running, Scope, decide,
};

use super::ModelStore;
use super::rows::Rows;

impl ModelStore {
    /// The jobs that a claim finds.
    pub(crate) fn ready(&self, request: &ClaimRequest) -> Vec<JobId> {
        let (rows, now) = self.begin();
        ready(&rows, request, now).into_iter().map(|run| run.job).collect()
    }

    /// Claims what is not locked. A claim of so many for each tenant chooses before it meets the locks, and takes
    /// nothing in place of what it cannot have.
    pub(crate) fn claim_beside(
        &self,
        request: &ClaimRequest,
        locked: &BTreeSet<JobId>,
    ) -> Result<Vec<Claimed>, Error> {
        let (mut rows, now) = self.begin();
        let chooses_first =
            request.running.per_tenant.is_some() && matches!(request.scope, Scope::Queue(_));
        let (mut claimed, mut chosen) = (Vec::new(), BTreeMap::<QueueName, Running>::new());
        let mut places = request.limit;
        for run in ready(&rows, request, now) {
            let is_locked = locked.contains(&run.job);
            let running = chosen.entry(run.queue.clone());
            let running = running.or_insert_with(|| rows.running(&run.queue));
            if places == 0 {
                break;
            }
            if !request.running.admit(running, &run.tenant) || (is_locked && !chooses_first) {
                continue;
            }
            running.add(Some(run.tenant.clone()), 1);
            places -= 1;
            if is_locked {
                continue;
            }
            let starts = rows.spec(run.job).is_some_and(|spec| {
                request.starts(&spec.kind, spec.authority.as_ref(), &spec.tenant)
            });
            let changes = decide::claim(run, request, starts, now)?;
            claimed.push(Claimed { job: changes.run.job, generation: changes.run.generation });
            rows.save(changes)?;
        }
        Ok(claimed)
    }

    /// The jobs that a sweep finds: waits that are over, and leases that have expired.
    pub(crate) fn to_recover(&self) -> Vec<JobId> {
        let (rows, now) = self.begin();
        let found = |run: &&Run| Rows::is_due(run, now) || Rows::is_expired(run, now);
        rows.runs.values().filter(found).map(|run| run.job).collect()
    }

    /// The first half of a sweep.
    pub(crate) fn recover_due(
        &self,
        request: &RecoverRequest,
        locked: &BTreeSet<JobId>,
    ) -> Result<Recovered, Error> {
        let (mut rows, now) = self.begin();
        let mut recovered = Recovered::default();
        let due = |run: &Run| Rows::is_due(run, now).then_some(run.ready_at);
        for run in first(&rows, request, locked, due) {
            recovered.due.push(run.job);
            rows.save(decide::due(run, now)?)?;
        }
        Ok(recovered)
    }

    /// The second half of a sweep.
    pub(crate) fn recover_expired(
        &self,
        request: &RecoverRequest,
        locked: &BTreeSet<JobId>,
    ) -> Result<Recovered, Error> {
        let (mut rows, now) = self.begin();
        let mut recovered = Recovered::default();
        let expired = |run: &Run| {
            let lease = run.lease.filter(|_| Rows::is_expired(run, now));
            lease.map(|lease| lease.expires_at)
        };
        for run in first(&rows, request, locked, expired) {
            let job = run.job;
            if rows.damaged.contains(&job) {
                rows.save(decide::set_aside(run, "the row cannot be read", now))?;
                recovered.set_aside.push(job);
                continue;
            }
            let open = rows.holds(job).into_iter().filter(|hold| hold.state == HoldState::Open);
            let open: Vec<_> = open.collect();
            rows.save(decide::expired(run, &open, now)?)?;
            recovered.expired.push(job);
        }
        Ok(recovered)
    }
}

/// What a claim finds, in the order in which it takes it.
fn ready(rows: &Rows, request: &ClaimRequest, now: Timestamp) -> Vec<Run> {
    let wanted = |run: &&Run| match &request.scope {
        Scope::Queue(queue) => run.queue == *queue,
        Scope::Job(job) => run.job == *job,
    };
    let ready = |run: &&Run| rows.is_ready(run, now);
    let mut found: Vec<Run> = rows.runs.values().filter(wanted).filter(ready).cloned().collect();
    found.sort_by_key(|run| (Reverse(run.priority), run.ready_at, run.job));
    found
}

/// The first so many runs that are not locked, by the instant that `at` gives, then by id.
fn first(
    rows: &Rows,
    request: &RecoverRequest,
    locked: &BTreeSet<JobId>,
    at: impl Fn(&Run) -> Option<Timestamp>,
) -> Vec<Run> {
    let free = rows.runs.values().filter(|run| !locked.contains(&run.job));
    let mut found: Vec<_> = free.filter_map(|run| Some((at(run)?, run.job, run.clone()))).collect();
    found.sort_by_key(|(at, job, _)| (*at, *job));
    found.truncate(request.limit as usize);
    found.into_iter().map(|(_, _, run)| run).collect()
}
