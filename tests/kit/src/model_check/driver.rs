//! Makes requests of what may happen next, sends them to both stores, and compares.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use koinon_budget::Axis;
use koinon_domain::{HoldId, JobId, TenantId, WorkerId};
use koinon_store::{
    ClaimRequest, Clock as _, Commit, ControlRequest, Fenced, HeartbeatRequest, PeekRequest,
    ReconcileRequest, RecoverRequest, Run, Scope, Submitted,
};

use super::given::{hold_outcome, limits, outcome, queue, running_limits, with_end};
use super::op::{Op, Parts};
use super::request::{Answer, Request, send};
use crate::{
    Harness, Held, LEASE, ManualClock, ModelHarness, Snapshot, Stores, check_job, commit, hold, job,
};

/// Carries out a sequence on the model and on a store of the harness.
pub(super) async fn drive(harness: &impl Harness, ops: Vec<Op>) {
    let clock = Arc::new(ManualClock::new());
    let mut driver = Driver {
        model: ModelHarness.open(Arc::<ManualClock>::clone(&clock)).await,
        subject: harness.open(Arc::<ManualClock>::clone(&clock)).await,
        workers: std::array::from_fn(|_| WorkerId::from_uuid(clock.uuid())),
        clock,
        jobs: Vec::new(),
        claims: Vec::new(),
        commits: Vec::new(),
        holds: Vec::new(),
        open: BTreeSet::new(),
        seen: BTreeMap::new(),
    };
    for op in beginning().into_iter().chain(ops) {
        let Some(request) = driver.request(op) else { continue };
        driver.step(request).await;
        driver.compare_changed().await;
    }
    driver.compare_all().await;
}

/// Two jobs under way, so that few ops find nothing to act on.
fn beginning() -> [Op; 3] {
    let submit = |identity| Op::Submit {
        identity,
        tenant: 0,
        priority: 1,
        limits: identity,
        max_attempts: 3,
        replace: false,
    };
    [submit(1), submit(2), Op::Claim { worker: 0, one: None, limit: 2, running: 0 }]
}

struct Driver {
    clock: Arc<ManualClock>,
    model: Stores,
    subject: Stores,
    workers: [WorkerId; 3],
    jobs: Vec<(TenantId, JobId)>,
    claims: Vec<Held>,
    commits: Vec<Commit>,
    holds: Vec<(TenantId, JobId, HoldId)>,
    open: BTreeSet<HoldId>,
    /// The model's rows when they were compared last.
    seen: BTreeMap<JobId, Snapshot>,
}

impl Driver {
    /// The request that an op comes to now; none if it only moves the clock, or has nothing to choose.
    fn request(&mut self, op: Op) -> Option<Request> {
        Some(match op {
            Op::Pass { seconds } => {
                self.clock.advance(Duration::from_secs(seconds.into()));
                return None;
            }
            Op::SetBack { seconds } => {
                self.clock.set_back(Duration::from_secs(seconds.into()));
                return None;
            }
            Op::Submit { identity, tenant, priority, limits: limit, max_attempts, replace } => {
                let one = job()
                    .identity(&identity.to_string())
                    .tenant(["acme", "globex"][usize::from(tenant)])
                    .priority(priority)
                    .limits(limits(limit))
                    .max_attempts(max_attempts.into());
                let one = if replace { one.replacing_cancelled() } else { one };
                Request::Submit(Box::new(one.build(&*self.clock)))
            }
            Op::Claim { worker, one, limit, running } => Request::Claim(ClaimRequest {
                owner: self.worker(worker),
                scope: match one {
                    Some(index) => Scope::Job(pick(&self.jobs, index)?.1),
                    None => Scope::Queue(queue()),
                },
                limit: limit.into(),
                running: running_limits(running),
                lease_for: LEASE,
            }),
            Op::Beat { worker, forgotten, abandoned } => {
                Request::Heartbeat(self.heartbeat(worker, forgotten, abandoned))
            }
            Op::Commit { claim, parts } => {
                // Mostly one of the latest, since the others are over.
                let skipped =
                    if claim.is_multiple_of(8) { 0 } else { self.claims.len().saturating_sub(3) };
                let held = pick(&self.claims[skipped..], claim)?.clone();
                let built = self.commit(&held, parts);
                self.commits.push(built.clone());
                Request::Commit(Box::new(built))
            }
            Op::Repeat { commit } => {
                Request::Commit(Box::new(pick(&self.commits, commit)?.clone()))
            }
            Op::Control { job, control } => {
                let (tenant, job) = pick(&self.jobs, job)?.clone();
                Request::Control(tenant, job, ControlRequest::State(control))
            }
            Op::Limits { job, limits: limit, raise } => {
                let (tenant, job) = pick(&self.jobs, job)?.clone();
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
                let (tenant, _, hold) = pick(&self.holds, hold)?.clone();
                Request::Reconcile(ReconcileRequest {
                    tenant,
                    hold,
                    outcome: outcome(cost, answer),
                })
            }
        })
    }

    fn worker(&self, index: u8) -> WorkerId {
        self.workers[usize::from(index) % self.workers.len()]
    }

    /// Every claim that the worker ever got, but for one that it forgot and one that it abandons.
    fn heartbeat(&self, worker: u8, forgotten: u8, abandoned: u8) -> HeartbeatRequest {
        let owner = self.worker(worker);
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

    /// Sends a request to both stores, and learns from the answer.
    async fn step(&mut self, request: Request) {
        let before = self.run_of(&request).await;
        let wanted = send(&self.model, request.clone()).await;
        let answer = send(&self.subject, request.clone()).await;
        assert_eq!(answer, wanted, "the answer differs from the model's to {request:?}");
        match (request, answer) {
            (Request::Submit(one), Answer::Submitted(answers)) => {
                if let [Submitted::Created(job)] = answers[..] {
                    self.jobs.push((one.job.tenant, job));
                }
            }
            (Request::Claim(request), Answer::Claimed(claimed)) => {
                for one in claimed {
                    let (tenant, job) =
                        self.jobs.iter().find(|(_, job)| *job == one.job).unwrap().clone();
                    self.claims.push(Held::new(job, tenant, request.owner, one.generation));
                }
            }
            (request @ Request::Commit(_), Answer::Committed(Fenced::Applied(_))) => {
                let after = self.run_of(&request).await;
                if let (Request::Commit(commit), Some(before), Some(after)) =
                    (request, before, after)
                    && before.last_commit != after.last_commit
                {
                    check_grant(&commit, &after);
                    self.open.extend(commit.holds.iter().map(|hold| hold.id));
                    self.open.retain(|hold| commit.hold_ends.iter().all(|end| end.id != *hold));
                }
            }
            _ => {}
        }
    }

    async fn run_of(&self, request: &Request) -> Option<Run> {
        let Request::Commit(commit) = request else { return None };
        let found = self.model.jobs.job(&commit.tenant, commit.job).await.unwrap();
        found.map(|status| status.run)
    }

    /// Holds each job that the model changed against the store and the invariants.
    async fn compare_changed(&mut self) {
        for (tenant, job) in &self.jobs {
            let wanted = Snapshot::of(&self.model, tenant, *job).await;
            if self.seen.get(job) == Some(&wanted) {
                continue;
            }
            check_job(&self.model, tenant, *job).await;
            let found = Snapshot::of(&self.subject, tenant, *job).await;
            assert_eq!(found, wanted, "the rows of {job} differ from the model's");
            self.seen.insert(*job, wanted);
        }
        let request = PeekRequest { owner: self.workers[0], queues: vec![queue()] };
        self.compare_answers(Request::Peek(request)).await;
    }

    /// Holds all that can be read of the store against the model, also what should not have changed.
    async fn compare_all(&mut self) {
        self.seen.clear();
        self.compare_changed().await;
        for owner in self.workers {
            let request = PeekRequest { owner, queues: vec![queue()] };
            self.compare_answers(Request::Peek(request)).await;
        }
        for tenant in ["acme", "globex"].map(|name| TenantId::try_new(name).unwrap()) {
            self.compare_answers(Request::Jobs(tenant.clone())).await;
            self.compare_answers(Request::InDoubt(tenant)).await;
        }
    }

    async fn compare_answers(&self, request: Request) {
        let wanted = send(&self.model, request.clone()).await;
        assert_eq!(send(&self.subject, request.clone()).await, wanted, "{request:?}");
    }
}

/// A hold or item that was granted fits, whatever was spent, reserved or in doubt.
fn check_grant(commit: &Commit, after: &Run) {
    for axis in Axis::ALL {
        let held: i64 = commit.holds.iter().map(|hold| hold.held.on(axis)).sum();
        let asked = if axis == Axis::Items { commit.items_started.into() } else { held };
        let Some(limit) = after.limits.on(axis).filter(|_| asked > 0) else { continue };
        let balance = &after.balance;
        let open = balance.reserved.on(axis) + balance.in_doubt.on(axis);
        let total = balance.spent_on(axis) + open;
        assert!(total <= limit, "{axis:?} of {} is at {total}, above {limit}", after.job);
    }
}

fn pick<T>(from: &[T], index: u8) -> Option<&T> {
    from.get(usize::from(index) % from.len().max(1))
}
