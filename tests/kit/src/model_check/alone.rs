//! One verb after another, on the model and on another store.

use std::collections::BTreeMap;
use std::sync::Arc;

use koinon_budget::Axis;
use koinon_domain::{JobId, TenantId};
use koinon_store::{Commit, Fenced, PeekRequest, Run};

use super::chooser::{Chooser, TENANTS, beginning};
use super::given::queues;
use super::op::Op;
use super::request::{Answer, Request, send};
use crate::{Harness, ManualClock, ModelHarness, Snapshot, Stores, check_job};

/// Carries out a sequence on the model and on a store of the harness.
pub(super) async fn drive(harness: &impl Harness, ops: Vec<Op>) {
    let clock = Arc::new(ManualClock::new());
    let mut driver = Driver {
        model: ModelHarness.open(Arc::<ManualClock>::clone(&clock)).await,
        subject: harness.open(Arc::<ManualClock>::clone(&clock)).await,
        chooser: Chooser::new(clock, usize::MAX),
        seen: BTreeMap::new(),
    };
    for op in beginning().into_iter().chain(ops) {
        let Some(request) = driver.chooser.request(op) else { continue };
        driver.step(request).await;
        driver.compare_changed().await;
    }
    driver.compare_all().await;
}

struct Driver {
    model: Stores,
    subject: Stores,
    chooser: Chooser,
    /// The model's rows when they were compared last.
    seen: BTreeMap<JobId, Snapshot>,
}

impl Driver {
    /// Sends a request to both stores, and learns from the answer.
    async fn step(&mut self, request: Request) {
        let before = self.run_of(&request).await;
        let wanted = send(&self.model, request.clone()).await;
        let answer = send(&self.subject, request.clone()).await;
        assert_eq!(answer, wanted, "the answer differs from the model's to {request:?}");
        self.chooser.learn(&request, &answer);
        if let Answer::Committed(Fenced::Applied(_)) = answer {
            let after = self.run_of(&request).await;
            if let (Request::Commit(commit), Some(before), Some(after)) = (request, before, after)
                && before.last_commit != after.last_commit
            {
                check_grant(&commit, &after);
            }
        }
    }

    async fn run_of(&self, request: &Request) -> Option<Run> {
        let Request::Commit(commit) = request else { return None };
        let found = self.model.jobs.job(&commit.tenant, commit.job).await.unwrap();
        found.map(|status| status.run)
    }

    /// Holds each job that the model changed against the store and the invariants.
    async fn compare_changed(&mut self) {
        for (tenant, job) in self.chooser.jobs.clone() {
            let wanted = Snapshot::of(&self.model, &tenant, job).await;
            if self.seen.get(&job) == Some(&wanted) {
                continue;
            }
            check_job(&self.model, &tenant, job).await;
            let found = Snapshot::of(&self.subject, &tenant, job).await;
            assert_eq!(found, wanted, "the rows of {job} differ from the model's");
            self.chooser.learn_holds(&wanted);
            self.seen.insert(job, wanted);
        }
        self.compare_peek(0).await;
    }

    /// Holds all that can be read of the store against the model, also what should not have changed.
    async fn compare_all(&mut self) {
        self.seen.clear();
        self.compare_changed().await;
        for worker in 0..self.chooser.workers.len() {
            self.compare_peek(worker).await;
        }
        for queue in queues() {
            self.compare_answers(Request::Running(queue)).await;
        }
        for tenant in TENANTS.map(|name| TenantId::try_new(name).unwrap()) {
            self.compare_answers(Request::Jobs(tenant.clone())).await;
            self.compare_answers(Request::InDoubt(tenant)).await;
        }
    }

    async fn compare_peek(&self, worker: usize) {
        let request = PeekRequest { owner: self.chooser.workers[worker], queues: queues() };
        self.compare_answers(Request::Peek(request)).await;
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
