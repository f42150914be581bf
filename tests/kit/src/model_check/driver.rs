//! Makes requests of what may happen next, sends them to both stores, and compares.

use std::sync::Arc;
use std::time::Duration;

use koinon_budget::{Axis, Limits, NanoUsd};
use koinon_domain::{HoldId, JobId, QueueName, TenantId, WorkerId};
use koinon_store::{
    ClaimRequest, Clock as _, Commit, ControlRequest, End, Fenced, HeartbeatRequest, HoldOutcome,
    Outcome, PeekRequest, ReconcileRequest, RecoverRequest, Run, Scope, Stored, Submitted,
};

use super::op::{self, Op, Parts};
use super::request::{Answer, Request, send};
use crate::{
    Harness, Held, LEASE, ManualClock, ModelHarness, Snapshot, Stores, check_job, commit, hold,
    job, settled,
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
    };
    for op in ops {
        let Some(request) = driver.request(op) else { continue };
        driver.step(request).await;
        driver.compare().await;
    }
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
            Op::Claim { worker, one, limit } => Request::Claim(ClaimRequest {
                owner: self.worker(worker),
                scope: match one {
                    Some(index) => Scope::Job(pick(&self.jobs, index)?.1),
                    None => Scope::Queue(queue()),
                },
                limit: limit.into(),
                lease_for: LEASE,
            }),
            Op::Beat { worker, forgotten, abandoned } => {
                Request::Heartbeat(self.heartbeat(worker, forgotten, abandoned))
            }
            Op::Commit { claim, parts } => {
                let held = pick(&self.claims, claim)?.clone();
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
        for (item, cost) in parts.holds {
            let new = hold(&*self.clock, &item.to_string(), &format!("0.0{cost}"));
            self.holds.push((held.tenant.clone(), held.job, new.id));
            built = built.hold(&new);
        }
        let of_job = self.holds.iter().filter(|(_, job, _)| *job == held.job);
        let known: Vec<_> = of_job.map(|(.., hold)| *hold).collect();
        for (index, end) in parts.hold_ends {
            if let Some(id) = pick(&known, index) {
                built = built.end_hold(*id, hold_outcome(end));
            }
        }
        if let Some(item) = parts.checkpoint {
            built = built.checkpoint(&item.to_string());
        }
        match parts.end {
            Some(end) => with_end(built, end).build(),
            None => built.build(),
        }
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

    /// Holds what can be read of the store against the model, and the model against the invariants.
    async fn compare(&self) {
        for (tenant, job) in &self.jobs {
            check_job(&self.model, tenant, *job).await;
            let wanted = Snapshot::of(&self.model, tenant, *job).await;
            let found = Snapshot::of(&self.subject, tenant, *job).await;
            assert_eq!(found, wanted, "the rows of {job} differ from the model's");
        }
        let tenants = ["acme", "globex"].map(|name| TenantId::try_new(name).unwrap());
        let peeks = self.workers.map(|owner| {
            let queues = vec![queue()];
            Request::Peek(PeekRequest { owner, queues })
        });
        let lists = tenants
            .into_iter()
            .flat_map(|tenant| [Request::Jobs(tenant.clone()), Request::InDoubt(tenant)]);
        for request in peeks.into_iter().chain(lists) {
            let wanted = send(&self.model, request.clone()).await;
            assert_eq!(send(&self.subject, request.clone()).await, wanted, "{request:?}");
        }
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

fn queue() -> QueueName {
    QueueName::try_new("report").unwrap()
}

fn limits(choice: u8) -> Limits {
    match choice {
        0 => Limits::default(),
        1 => Limits { cost: Some(NanoUsd::new(50_000_000)), ..Limits::default() },
        2 => Limits { calls: Some(3), items: Some(4), ..Limits::default() },
        _ => Limits {
            input_tokens: Some(500),
            run_for: Some(Duration::from_secs(90)),
            ..Limits::default()
        },
    }
}

fn hold_outcome(end: op::HoldEnd) -> HoldOutcome {
    match end {
        op::HoldEnd::Settled { cost, usable: wanted } => {
            let mut outcome = settled(&format!("0.0{cost}"));
            if let HoldOutcome::Settled { usable, .. } = &mut outcome {
                *usable = wanted;
            }
            outcome
        }
        op::HoldEnd::Released { sent } => HoldOutcome::Released { sent },
        op::HoldEnd::InDoubt => HoldOutcome::InDoubt,
    }
}

fn with_end(built: crate::CommitBuilder, end: op::End) -> crate::CommitBuilder {
    match end {
        op::End::Succeeded => built.succeed(),
        op::End::Failed => built.fail(),
        op::End::Retryable { seconds } => built.retry_after(Duration::from_secs(seconds.into())),
        op::End::HandedBack { seconds, interrupted } => {
            built.end(End::HandedBack { wait: Duration::from_secs(seconds.into()), interrupted })
        }
        op::End::BudgetExhausted => built.out_of_budget(),
        op::End::Flushed => built.flush(),
    }
}

fn outcome(cost: Option<u8>, answer: bool) -> Outcome {
    let Some(cost) = cost else { return Outcome::Nothing };
    let HoldOutcome::Settled { cost, usage, .. } = settled(&format!("0.0{cost}")) else {
        return Outcome::Nothing;
    };
    let answer = answer.then(|| Stored::Inline(b"late".to_vec()));
    Outcome::Charged { cost, usage: Some(usage), answer }
}
