//! Makes requests of what may happen next.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use koinon_domain::{HoldId, JobId, Kind, TenantId, WorkerId};
use koinon_store::{
    ClaimRequest, Clock as _, Commit, ControlRequest, EntryKind, HeartbeatRequest,
    ReconcileRequest, RecoverRequest, Scope,
};

use super::given::{hold_outcome, limits, outcome, queue, running_limits, with_end};
use super::op::{Op, Parts, What};
use super::request::{Answer, Request};
use crate::{Held, LEASE, ManualClock, Snapshot, commit, hold, job};

pub(super) const TENANTS: [&str; 2] = ["acme", "globex"];

/// Two jobs under way, so that few ops find nothing to act on.
pub(super) fn beginning() -> [Op; 3] {
    let submit = |identity| Op::Submit {
        what: What { identity, tenant: 0, queue: 0 },
        priority: 1,
        limits: identity,
        max_attempts: 3,
        replace: false,
    };
    [
        submit(1),
        submit(2),
        Op::Claim { worker: 0, queue: 0, one: None, limit: 2, running: 0, starts: false },
    ]
}

/// What those know who ask.
pub(super) struct Chooser {
    clock: Arc<ManualClock>,
    pub(super) workers: [WorkerId; 3],
    /// Every job that was ever asked for, though it may not have become one.
    pub(super) submitted: Vec<(TenantId, JobId)>,
    /// Those that are there, as far as answers told.
    pub(super) jobs: Vec<(TenantId, JobId)>,
    claims: Vec<Held>,
    commits: Vec<Commit>,
    holds: Vec<(TenantId, JobId, HoldId)>,
    open: BTreeSet<HoldId>,
    in_doubt: BTreeSet<HoldId>,
    /// Requests are mostly about so many of the latest jobs.
    late: usize,
    /// The claim that requests are about, instead of any.
    focus: Option<Held>,
}

impl Chooser {
    pub(super) fn new(clock: Arc<ManualClock>, late: usize) -> Self {
        Self {
            workers: std::array::from_fn(|_| WorkerId::from_uuid(clock.uuid())),
            clock,
            submitted: Vec::new(),
            jobs: Vec::new(),
            claims: Vec::new(),
            commits: Vec::new(),
            holds: Vec::new(),
            open: BTreeSet::new(),
            in_doubt: BTreeSet::new(),
            late,
            focus: None,
        }
    }

    /// The request that an op comes to now; none if it only moves the clock, or has nothing to choose.
    pub(super) fn request(&mut self, op: Op) -> Option<Request> {
        Some(match op {
            Op::Pass { seconds } => {
                self.clock.advance(Duration::from_secs(seconds.into()));
                return None;
            }
            Op::SetBack { seconds } => {
                self.clock.set_back(Duration::from_secs(seconds.into()));
                return None;
            }
            Op::Submit { what, priority, limits: limit, max_attempts, replace } => {
                let one = job()
                    .identity(&what.identity.to_string())
                    .tenant(TENANTS[usize::from(what.tenant) % TENANTS.len()])
                    .queue(queue(what.queue).as_str())
                    .priority(priority)
                    .limits(limits(limit))
                    .max_attempts(max_attempts.into());
                let one = if replace { one.replacing_cancelled() } else { one };
                // Some may not run, and do not start with their claims.
                let one = if what.identity == 1 { one.on_behalf_of("umbrella") } else { one };
                let one = one.build(&*self.clock);
                self.submitted.push((one.job.tenant.clone(), one.job.id));
                Request::Submit(Box::new(one))
            }
            Op::Claim { worker, queue: of, one, limit, running, starts } => {
                Request::Claim(ClaimRequest {
                    owner: self.worker(worker),
                    scope: match one {
                        Some(index) => Scope::Job(self.job(index)?.1),
                        None => Scope::Queue(queue(of)),
                    },
                    limit: limit.into(),
                    running: running_limits(running),
                    lease_for: LEASE,
                    starts: if starts {
                        vec![Kind::try_new("report").unwrap()]
                    } else {
                        Vec::new()
                    },
                })
            }
            Op::Beat { worker, forgotten, abandoned } => {
                Request::Heartbeat(self.heartbeat(worker, forgotten, abandoned))
            }
            Op::Commit { claim, parts } => {
                let held = self.claim(claim)?.clone();
                let built = self.commit(&held, parts);
                self.commits.push(built.clone());
                Request::Commit(Box::new(built))
            }
            Op::Repeat { commit } => {
                Request::Commit(Box::new(pick(&self.commits, commit)?.clone()))
            }
            Op::Control { job, control } => {
                let (tenant, job) = self.job(job)?;
                Request::Control(tenant, job, ControlRequest::State(control))
            }
            Op::Limits { job, limits: limit, raise } => {
                let (tenant, job) = self.job(job)?;
                let limits = limits(limit);
                let request = if raise {
                    ControlRequest::RaiseLimits(limits)
                } else {
                    ControlRequest::SetLimits(limits)
                };
                Request::Control(tenant, job, request)
            }
            Op::Recover { limit } => Request::Recover(RecoverRequest { limit: limit.into() }),
            Op::Reconcile { hold, cost, answer } => {
                let (tenant, hold) = self.hold_to_reconcile(hold)?;
                Request::Reconcile(ReconcileRequest {
                    tenant,
                    hold,
                    outcome: outcome(cost, answer),
                })
            }
            Op::PauseQueue { queue: which } => Request::PauseQueue(queue(which)),
            Op::ResumeQueue { queue: which } => Request::ResumeQueue(queue(which)),
        })
    }

    /// Lets the next requests be about one claim, or about any.
    pub(super) fn focus(&mut self, claim: Option<u8>) {
        self.focus = None;
        self.focus = claim.and_then(|index| self.claim(index).cloned());
    }

    fn claim(&self, index: u8) -> Option<&Held> {
        // The others are over.
        self.focus.as_ref().or_else(|| mostly_late(&self.claims, 3, index))
    }

    fn job(&self, index: u8) -> Option<(TenantId, JobId)> {
        match &self.focus {
            Some(held) => Some((held.tenant.clone(), held.job)),
            None => mostly_late(&self.jobs, self.late, index).cloned(),
        }
    }

    fn worker(&self, index: u8) -> WorkerId {
        self.workers[usize::from(index) % self.workers.len()]
    }

    /// Every claim that the worker ever got, but for one that it forgot and one that it abandons.
    fn heartbeat(&self, worker: u8, forgotten: u8, abandoned: u8) -> HeartbeatRequest {
        let owner = self.focus.as_ref().map_or_else(|| self.worker(worker), |held| held.owner);
        let owned = self.claims.iter().filter(|held| held.owner == owner);
        let mut held: Vec<_> = owned.map(|held| (held.job, held.generation)).collect();
        let mut take = |index: u8| {
            let index = usize::from(index);
            (index < held.len()).then(|| held.remove(index))
        };
        let _forgotten = take(forgotten % 8);
        let abandoned = take(abandoned % 8).into_iter().collect();
        HeartbeatRequest { owner, held, abandoned, lease_for: LEASE }
    }

    fn commit(&mut self, held: &Held, parts: Parts) -> Commit {
        let mut built = commit(held).items(parts.items.into());
        built.0.started = parts.start;
        for (index, end) in parts.hold_ends {
            if let Some(id) = self.hold_to_end(held.job, index) {
                built = built.end_hold(id, hold_outcome(end));
            }
        }
        for (item, cost) in parts.holds {
            let new = hold(&*self.clock, &item.to_string(), &format!("0.0{cost}"));
            self.holds.push((held.tenant.clone(), held.job, new.id));
            built = built.hold(&new);
        }
        if let Some(item) = parts.checkpoint {
            built = built.checkpoint(&item.to_string());
        }
        match parts.end {
            Some(end) => with_end(built, end).build(),
            None => built.build(),
        }
    }

    /// Mostly a hold that is open, else any that the job ever asked for.
    fn hold_to_end(&self, job: JobId, index: u8) -> Option<HoldId> {
        let of_job = self.holds.iter().filter(|(_, of, _)| *of == job).map(|(.., hold)| *hold);
        let known: Vec<_> = if index.is_multiple_of(16) {
            of_job.collect()
        } else {
            of_job.filter(|hold| self.open.contains(hold)).collect()
        };
        pick(&known, index).copied()
    }

    /// Mostly a hold in doubt, else any.
    fn hold_to_reconcile(&self, index: u8) -> Option<(TenantId, HoldId)> {
        let is_any = index.is_multiple_of(4) || self.in_doubt.is_empty();
        let wanted = self.holds.iter().filter(|(.., id)| is_any || self.in_doubt.contains(id));
        let wanted: Vec<_> = wanted.map(|(tenant, _, hold)| (tenant.clone(), *hold)).collect();
        pick(&wanted, index).cloned()
    }

    /// The jobs that a request is about. Only the answer of a claim, a sweep or a heartbeat tells that of these, so if
    /// it was lost it may be any.
    pub(super) fn jobs_of(&self, request: &Request, answer: Option<&Answer>) -> BTreeSet<JobId> {
        match request {
            Request::Claim(_) | Request::Recover(_) | Request::Heartbeat(_) if answer.is_none() => {
                self.submitted.iter().map(|(_, job)| *job).collect()
            }
            Request::Heartbeat(request) => {
                request.held.iter().chain(&request.abandoned).map(|(job, _)| *job).collect()
            }
            Request::Commit(commit) => [commit.job].into(),
            Request::Control(_, job, _) => [*job].into(),
            Request::Reconcile(request) => {
                let of_hold = self.holds.iter().filter(|(.., hold)| *hold == request.hold);
                of_hold.map(|(_, job, _)| *job).collect()
            }
            _ => BTreeSet::new(),
        }
    }

    /// Learns from the rows of a job how its holds stand.
    pub(super) fn learn_holds(&mut self, found: &Snapshot) {
        for entry in &found.entries {
            self.open.remove(&entry.hold);
            self.in_doubt.remove(&entry.hold);
            match entry.kind {
                EntryKind::Reserved => self.open.insert(entry.hold),
                EntryKind::InDoubt => self.in_doubt.insert(entry.hold),
                EntryKind::Settled | EntryKind::Released | EntryKind::Reconciled => false,
            };
        }
    }

    /// Learns from an answer what there is.
    pub(super) fn learn(&mut self, request: &Request, answer: &Answer) {
        match (request, answer) {
            (Request::Submit(one), Answer::Submitted(answers)) => {
                for answer in answers {
                    let known = (one.job.tenant.clone(), answer.job());
                    if !self.jobs.contains(&known) {
                        self.jobs.push(known);
                    }
                }
            }
            (Request::Claim(request), Answer::Claimed(claimed)) => {
                for one in claimed {
                    let submitted = self.submitted.iter().find(|(_, job)| *job == one.job);
                    let tenant = submitted.unwrap().0.clone();
                    self.claims.push(Held::new(one.job, tenant, request.owner, one.generation));
                }
            }
            _ => {}
        }
    }
}

fn pick<T>(from: &[T], index: u8) -> Option<&T> {
    from.get(usize::from(index) % from.len().max(1))
}

/// Mostly one of so many that came last, else any.
fn mostly_late<T>(from: &[T], late: usize, index: u8) -> Option<&T> {
    let skipped = if index.is_multiple_of(8) { 0 } else { from.len().saturating_sub(late) };
    pick(&from[skipped..], index)
}
