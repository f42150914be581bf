//! Several verbs at once, which a store may serve in one transaction: their answers and all rows must be those of
//! some order.

use std::collections::BTreeMap;
use std::fmt::{Debug, Write as _};
use std::sync::Arc;

use futures::future::join_all;
use koinon_domain::{JobId, TenantId};
use koinon_store::PeekRequest;

use super::chooser::{Chooser, TENANTS, beginning};
use super::given::queues;
use super::op::Batch;
use super::order::{self, Asked, Locking};
use super::request::{Request, ask, send};
use super::world::World;
use crate::{Harness, ManualClock, Snapshot, Stores, check_job};

/// So many of the latest jobs are those that most requests are about, so that they meet.
const LATE: usize = 3;

/// Carries out batches on a store of the harness, and keeps every way in which everything may stand after each.
pub(super) async fn drive(harness: &impl Harness, locking: Locking, batches: Vec<Batch>) {
    let clock = Arc::new(ManualClock::new());
    let mut driver = Driver {
        worlds: vec![World::new(Arc::<ManualClock>::clone(&clock))],
        subject: harness.open(Arc::<ManualClock>::clone(&clock)).await,
        chooser: Chooser::new(clock, LATE),
        locking,
        seen: BTreeMap::new(),
    };
    for batch in
        beginning().map(|op| Batch { claim: None, ops: vec![op] }).into_iter().chain(batches)
    {
        driver.ask_at_once(batch).await;
    }
    driver.compare_all().await;
}

struct Driver {
    /// How everything may stand, as far as answers and rows have told.
    worlds: Vec<World>,
    subject: Stores,
    chooser: Chooser,
    locking: Locking,
    /// The rows of each job when they were compared last.
    seen: BTreeMap<JobId, Option<Snapshot>>,
}

impl Driver {
    async fn ask_at_once(&mut self, Batch { claim, ops }: Batch) {
        self.chooser.focus(claim);
        let requests: Vec<_> = ops.into_iter().filter_map(|op| self.chooser.request(op)).collect();
        let asking = requests.iter().map(|request| ask(&self.subject, request.clone()));
        let answers = join_all(asking).await;
        let mut batch = Vec::new();
        for (request, answer) in requests.into_iter().zip(answers) {
            if let Some(answer) = &answer {
                self.chooser.learn(&request, answer);
            }
            let jobs = self.chooser.jobs_of(&request, answer.as_ref());
            batch.push(Asked { request, answer, jobs });
        }
        self.worlds = order::after(std::mem::take(&mut self.worlds), &batch, self.locking).await;
        assert!(!self.worlds.is_empty(), "in no order are these the answers:\n{}", shown(&batch));
        self.compare_changed(&batch).await;
    }

    /// Keeps the worlds in which each job that may have changed has the rows that it has in the store.
    async fn compare_changed(&mut self, batch: &[Asked]) {
        for (tenant, job) in self.chooser.submitted.clone() {
            let mut wanted = Vec::new();
            for world in &self.worlds {
                wanted.push(Snapshot::find(&world.stores, &tenant, job).await);
            }
            let seen = self.seen.get(&job);
            if wanted.iter().all(|wanted| Some(wanted) == seen) {
                continue;
            }
            let found = Snapshot::find(&self.subject, &tenant, job).await;
            self.keep(wanted, &found, batch);
            if let Some(found) = &found {
                check_job(&self.worlds[0].stores, &tenant, job).await;
                self.chooser.learn_holds(found);
            }
            self.seen.insert(job, found);
        }
        self.compare_peek(0, batch).await;
    }

    /// Holds all that can be read of the store against the worlds, also what should not have changed.
    async fn compare_all(&mut self) {
        self.seen.clear();
        self.compare_changed(&[]).await;
        for worker in 0..self.chooser.workers.len() {
            self.compare_peek(worker, &[]).await;
        }
        for tenant in TENANTS.map(|name| TenantId::try_new(name).unwrap()) {
            self.compare_answers(Request::Jobs(tenant.clone()), &[]).await;
            self.compare_answers(Request::InDoubt(tenant), &[]).await;
        }
    }

    async fn compare_peek(&mut self, worker: usize, batch: &[Asked]) {
        let request = PeekRequest { owner: self.chooser.workers[worker], queues: queues() };
        self.compare_answers(Request::Peek(request), batch).await;
        for queue in queues() {
            self.compare_answers(Request::Running(queue), batch).await;
        }
    }

    async fn compare_answers(&mut self, request: Request, batch: &[Asked]) {
        let mut wanted = Vec::new();
        for world in &self.worlds {
            wanted.push(send(&world.stores, request.clone()).await);
        }
        let found = send(&self.subject, request).await;
        self.keep(wanted, &found, batch);
    }

    /// Keeps the worlds whose `wanted` was found.
    fn keep<T: PartialEq + Debug>(&mut self, wanted: Vec<T>, found: &T, batch: &[Asked]) {
        let is_one = wanted.iter().any(|wanted| wanted == found);
        assert!(
            is_one,
            "no order with these answers leads to what is there:\n{}\n{}",
            shown(batch),
            difference(&wanted[0], found)
        );
        let mut wanted = wanted.into_iter();
        self.worlds.retain(|_| wanted.next().is_some_and(|wanted| wanted == *found));
    }
}

/// The verbs and their answers, a line each.
fn shown(batch: &[Asked]) -> String {
    let mut text = String::new();
    for Asked { request, answer, .. } in batch {
        writeln!(text, "  {request:?}\n    -> {answer:?}").unwrap();
    }
    text
}

/// Where the texts of two values differ, from the first line to the last.
fn difference<T: Debug>(wanted: &T, found: &T) -> String {
    let (wanted, found) = (format!("{wanted:#?}"), format!("{found:#?}"));
    let (mut wanted, mut found) = (Vec::from_iter(wanted.lines()), Vec::from_iter(found.lines()));
    let alike = |(a, b): &(&&str, &&str)| a == b;
    let front = wanted.iter().zip(&found).take_while(alike).count();
    // A line or two in front tell where it is.
    wanted.drain(..front.saturating_sub(4));
    found.drain(..front.saturating_sub(4));
    let back = wanted.iter().rev().zip(found.iter().rev()).take_while(alike).count();
    wanted.truncate(wanted.len() - back);
    found.truncate(found.len() - back);
    format!("wanted\n{}\nfound\n{}", wanted.join("\n"), found.join("\n"))
}
