//! An answer that is booked late, after another worker has read the ledger.

use std::sync::Arc;

use koinon_budget::{Amounts, NanoUsd, Usage};
use koinon_domain::State;
use koinon_kit::{Fault, FaultStore, ModelStore, PausedClock, Stores, Verb, job};
use koinon_runner::Driven;
use koinon_store::{EntryKind, Outcome, ReconcileAnswer, ReconcileRequest, Stored};

use crate::bench::{Asks, Bench};

const VERBS: [Verb; 6] =
    [Verb::Job, Verb::Peek, Verb::Claim, Verb::Heartbeat, Verb::Commit, Verb::Recover];

#[tokio::test(start_paused = true)]
async fn an_answer_that_is_booked_late_is_not_paid_for_again() {
    let clock = Arc::new(PausedClock::new());
    let model = Arc::new(ModelStore::new(Arc::<PausedClock>::clone(&clock)));
    let faults = Arc::new(FaultStore::new(Stores::of(Arc::clone(&model))));
    let cut_off = Stores::of(Arc::clone(&faults));
    let lost = Bench::on(Arc::clone(&clock), cut_off, Asks::new(2, 2));
    let bench = Bench::on(clock, Stores::of(model), Asks::new(2, 1));
    lost.provider.close_gate();
    bench.provider.close_gate();
    let job = lost.submit(job()).await;
    let tenant = lost.tenant();
    let worker = lost.worker();
    // The first worker is lost with both items under way.
    tokio::select! {
        _ended = worker.drive(&tenant, job) => panic!("no call is answered"),
        () = lost.provider.arrived(2) => {}
    }
    for verb in VERBS {
        faults.fail_every(verb, 1, Fault::Before);
    }
    let second = bench.worker();
    let (driven, ()) = tokio::join!(second.drive(&tenant, job), async {
        // The second one has read the ledger and asks for the first item; then the answer of the other one
        // comes in.
        bench.provider.arrived(1).await;
        let in_doubt = bench.stores.ledger.in_doubt(&tenant, Some(job), 10).await.unwrap();
        let item = |name: &str| {
            let of_item = |one: &&koinon_store::InDoubt| {
                one.hold.call.item.as_ref().is_some_and(|item| item.as_str() == name)
            };
            in_doubt.iter().find(of_item).expect("it is in doubt").hold.id
        };
        let usage = Usage { input_tokens: 50, cached_input_tokens: 0, output_tokens: 50 };
        let cost = Amounts::of_call(NanoUsd::new(1_000), usage);
        let answer = Some(Stored::Inline(b"late".to_vec()));
        let outcome = Outcome::Charged { cost, usage: Some(usage), answer };
        let request = ReconcileRequest { tenant: tenant.clone(), hold: item("1"), outcome };
        let booked = bench.stores.ledger.reconcile(request).await.unwrap();
        assert!(matches!(booked, ReconcileAnswer::Reconciled(_)), "{booked:?}");
        bench.provider.open_gate();
    });
    second.drain().await;

    let Driven::Ended(status) = driven.unwrap() else { panic!("it was not driven") };
    assert_eq!(status.run.state, State::Succeeded);
    assert_eq!(bench.provider.count(), 1, "the late answer served");
    assert_eq!(bench.entries(job, EntryKind::Released).await, 1);
    bench.check(job).await;
}
