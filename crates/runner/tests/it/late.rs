//! An answer that is booked late, after another worker has read the ledger.

use std::sync::Arc;
use std::time::Duration;

use koinon_budget::{Amounts, NanoUsd, Usage};
use koinon_domain::{JobId, State};
use koinon_kit::{Fault, FaultStore, ModelStore, PausedClock, Stores, Verb, job};
use koinon_runner::{Driven, Worker};
use koinon_store::{EntryKind, InDoubt, Outcome, ReconcileAnswer, ReconcileRequest, Stored};

use crate::bench::{Asks, Bench};

const VERBS: [Verb; 6] =
    [Verb::Job, Verb::Peek, Verb::Claim, Verb::Heartbeat, Verb::Commit, Verb::Recover];

/// A job whose worker was lost with a call under way for each item, and what another worker works with.
struct Lost {
    job: JobId,
    bench: Bench,
    faults: Arc<FaultStore>,
    _worker: (Bench, Worker),
}

impl Lost {
    async fn new(items: usize) -> Self {
        let clock = Arc::new(PausedClock::new());
        let model = Arc::new(ModelStore::new(Arc::<PausedClock>::clone(&clock)));
        let with_faults = || Arc::new(FaultStore::new(Stores::of(Arc::clone(&model))));
        let (cut_off, faults) = (with_faults(), with_faults());
        let on = |faults: &Arc<FaultStore>, concurrency| {
            let stores = Stores::of(Arc::clone(faults));
            Bench::on(Arc::clone(&clock), stores, Asks::new(items, concurrency))
        };
        let (lost, bench) = (on(&cut_off, items), on(&faults, 1));
        lost.provider.close_gate();
        let job = lost.submit(job()).await;
        let (worker, tenant) = (lost.worker(), lost.tenant());
        tokio::select! {
            _ended = worker.drive(&tenant, job) => panic!("no call is answered"),
            () = lost.provider.arrived(items as u64) => {}
        }
        for verb in VERBS {
            cut_off.fail_every(verb, 1, Fault::Before);
        }
        Self { job, bench, faults, _worker: (lost, worker) }
    }

    /// Lets another worker do the job, until something happens at which the answer of an item comes in after all.
    async fn driven_with_a_late_answer(&self, item: &str, happens: impl Future<Output = ()>) {
        let (tenant, second) = (self.bench.tenant(), self.bench.worker());
        let (driven, ()) = tokio::join!(second.drive(&tenant, self.job), async {
            happens.await;
            self.book(item).await;
            self.bench.provider.open_gate();
        });
        second.drain().await;
        let Driven::Ended(status) = driven.unwrap() else { panic!("it was not driven") };
        assert_eq!(status.run.state, State::Succeeded);
        assert_eq!(self.bench.entries(self.job, EntryKind::Released).await, 1);
        self.bench.check(self.job).await;
    }

    async fn book(&self, item: &str) {
        let (tenant, ledger) = (self.bench.tenant(), &self.bench.stores.ledger);
        let in_doubt = ledger.in_doubt(&tenant, Some(self.job), 10).await.unwrap();
        let of_item = |one: &&InDoubt| one.hold.call.item.as_ref().unwrap().as_str() == item;
        let hold = in_doubt.iter().find(of_item).unwrap().hold.id;
        let usage = Usage { input_tokens: 50, cached_input_tokens: 0, output_tokens: 50 };
        let cost = Amounts::of_call(NanoUsd::new(1_000), usage);
        let answer = Some(Stored::Inline(b"late".to_vec()));
        let outcome = Outcome::Charged { cost, usage: Some(usage), answer };
        let booked = ledger.reconcile(ReconcileRequest { tenant, hold, outcome }).await.unwrap();
        assert!(matches!(booked, ReconcileAnswer::Reconciled(_)), "{booked:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_is_booked_late_is_not_paid_for_again() {
    let lost = Lost::new(2).await;
    let provider = &lost.bench.provider;
    provider.close_gate();
    // The ledger has been read, and the first item is asked for.
    lost.driven_with_a_late_answer("1", provider.arrived(1)).await;
    assert_eq!(provider.count(), 1, "the late answer served");
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_is_booked_while_another_hold_is_opened_is_not_paid_for_again() {
    let lost = Lost::new(1).await;
    // The start rides with the hold.
    lost.faults.fail(Verb::Commit, 1, Fault::Slow(Duration::from_secs(1)));
    let opening = async {
        while lost.faults.calls_of(Verb::Commit) == 0 {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    };
    lost.driven_with_a_late_answer("0", opening).await;
    assert_eq!(lost.bench.provider.count(), 0, "the late answer served");
}
