//! What becomes of a job after each class of failure.

use std::time::Duration;

use koinon_domain::State;
use koinon_kit::{answered, in_doubt, job, refused, unsent, unusable};
use koinon_retry::Class;
use koinon_runner::OnInDoubt;
use koinon_store::EntryKind;

use crate::bench::{Asks, Bench};

#[tokio::test(start_paused = true)]
async fn a_transient_failure_is_retried_never_earlier_than_told() {
    let bench = Bench::new(Asks::new(1, 1));
    bench.provider.script([refused(Class::Transient, Some(Duration::from_secs(30)))]);
    let job = bench.submit(job()).await;
    let began = tokio::time::Instant::now();
    let status = bench.drive(job).await;
    assert_eq!(status.run.state, State::Succeeded);
    assert!(began.elapsed() >= Duration::from_secs(30));
    assert!(bench.events(job).await.contains(&"backoff_elapsed".to_owned()));
}

#[tokio::test(start_paused = true)]
async fn without_progress_at_most_attempts_times_concurrency_requests_go_out() {
    let bench = Bench::new(Asks::new(50, 4));
    bench.provider.script((0..50).map(|_| refused(Class::Transient, None)));
    let job = bench.submit(job().max_attempts(3)).await;
    let status = bench.drive(job).await;
    assert_eq!(status.run.state, State::Failed);
    assert_eq!(status.run.failed.unwrap().code.as_str(), "transient");
    assert!(bench.provider.count() <= 12, "{} requests", bench.provider.count());
}

#[tokio::test(start_paused = true)]
async fn a_used_up_quota_fails_the_job_at_once_and_no_further_item_starts() {
    let bench = Bench::new(Asks::new(50, 2));
    bench.provider.script([refused(Class::QuotaExhausted, None)]);
    let job = bench.submit(job()).await;
    let status = bench.drive(job).await;
    assert_eq!(status.run.state, State::Failed);
    assert_eq!(status.run.failed.unwrap().code.as_str(), "quota_exhausted");
    assert!(bench.provider.count() <= 2);
}

#[tokio::test(start_paused = true)]
async fn an_answer_of_no_use_is_charged_and_the_item_given_up_after_its_attempts() {
    let bench = Bench::new(Asks::new(3, 1));
    bench.provider.script_for("item 1.", [answered("rubbish"), unusable(), answered("rubbish")]);
    let job = bench.submit(job().max_attempts(3)).await;
    let status = bench.drive(job).await;
    assert_eq!(status.run.state, State::Succeeded);
    let summary = status.run.manifest.unwrap().summary;
    let texts: Vec<String> = serde_json::from_slice(&summary).unwrap();
    assert_eq!(texts[1], "given up: rubbish");
    assert_eq!(status.run.balance.spent.calls, 5);
    assert_eq!(bench.entries(job, EntryKind::Settled).await, 5);
    let keys: std::collections::BTreeSet<_> =
        bench.provider.received().into_iter().map(|call| call.idempotency_key).collect();
    assert_eq!(keys.len(), 5, "a new try after a rejected answer has a key of its own");
}

#[tokio::test(start_paused = true)]
async fn an_item_that_is_given_up_for_no_answer_says_what_the_provider_said() {
    let bench = Bench::new(Asks::new(1, 1));
    bench.provider.script([unusable()]);
    let job = bench.submit(job().max_attempts(1)).await;
    let status = bench.drive(job).await;
    let summary = status.run.manifest.unwrap().summary;
    assert_eq!(summary, br#"["given up: empty_body"]"#);
}

#[tokio::test(start_paused = true)]
async fn a_call_in_doubt_stays_charged_and_is_made_again_under_the_same_key() {
    let bench = Bench::new(Asks::new(1, 1));
    bench.provider.script([in_doubt()]);
    let job = bench.submit(job()).await;
    let status = bench.drive(job).await;
    assert_eq!(status.run.state, State::Succeeded);
    assert_eq!(status.run.balance.in_doubt.calls, 1);
    assert_eq!(bench.entries(job, EntryKind::InDoubt).await, 1);
    let received = bench.provider.received();
    assert_eq!(received.len(), 2);
    assert_eq!(received[0].idempotency_key, received[1].idempotency_key);
}

#[tokio::test(start_paused = true)]
async fn where_the_policy_says_so_a_call_in_doubt_pauses_the_job_until_it_is_reconciled() {
    let mut bench = Bench::new(Asks::new(1, 1));
    bench.config.on_in_doubt = OnInDoubt::Pause;
    bench.provider.script([in_doubt()]);
    let job = bench.submit(job()).await;
    let status = bench.drive(job).await;
    assert_eq!(status.run.state, State::Paused);
    assert_eq!(status.run.failed.unwrap().code.as_str(), "call_in_doubt");
    let tenant = bench.tenant();
    let open = bench.stores.ledger.in_doubt(&tenant, Some(job), 10).await.unwrap();
    let hold = open[0].hold.id;
    let outcome = koinon_store::Outcome::Nothing;
    let request = koinon_store::ReconcileRequest { tenant: tenant.clone(), hold, outcome };
    bench.stores.ledger.reconcile(request).await.unwrap();
    let resume = koinon_store::ControlRequest::State(koinon_domain::Control::Resume);
    bench.stores.jobs.control(&tenant, job, resume).await.unwrap();
    assert_eq!(bench.drive(job).await.run.state, State::Succeeded);
    assert_eq!(bench.provider.count(), 2);
}

#[tokio::test(start_paused = true)]
async fn a_call_that_was_never_sent_costs_nothing_and_counts_as_no_call() {
    let bench = Bench::new(Asks::new(1, 1));
    bench.provider.script([unsent()]);
    let job = bench.submit(job()).await;
    let status = bench.drive(job).await;
    assert_eq!(status.run.state, State::Succeeded);
    assert_eq!(status.run.balance.spent.calls, 1);
    assert_eq!(bench.entries(job, EntryKind::Released).await, 1);
}

#[tokio::test(start_paused = true)]
async fn a_job_without_a_provable_authority_fails_before_its_workload_runs() {
    for someone in [None, Some("umbrella")] {
        let bench = Bench::new(Asks::new(1, 1));
        let job = job().kind("asks").queue("asks").payload("null");
        let mut submission = job.on_behalf_of(someone.unwrap_or("acme")).build(&*bench.clock);
        submission.job.authority.take_if(|_| someone.is_none());
        let job = bench.stores.jobs.submit(vec![submission]).await.unwrap()[0].job();
        let status = bench.drive(job).await;
        assert_eq!(status.run.failed.unwrap().code.as_str(), "unresolved_authority");
        assert_eq!(bench.events(job).await, ["submitted", "claimed", "failed"]);
        assert_eq!(bench.provider.count(), 0);
    }
}

#[tokio::test(start_paused = true)]
async fn an_input_that_does_not_fit_fails_with_its_code() {
    let bench = Bench::new(Asks::new(1, 1));
    let submission = job().kind("asks").queue("asks").payload("{oops").build(&*bench.clock);
    let job = bench.stores.jobs.submit(vec![submission]).await.unwrap()[0].job();
    let status = bench.drive(job).await;
    assert_eq!(status.run.failed.unwrap().code.as_str(), "invalid_input");
}

#[tokio::test(start_paused = true)]
async fn a_job_whose_provider_is_missing_here_is_left_to_others_and_never_failed() {
    let mut bench = Bench::new(Asks::new(2, 2));
    let providers = std::mem::take(&mut bench.services.providers);
    let job = bench.submit(job()).await;
    let worker = bench.worker();
    worker.dispatch(koinon_runner::Until::Idle).await.unwrap();
    worker.drain().await;
    let status = bench.status(job).await;
    assert_eq!(status.run.state, State::Queued);
    assert_eq!(status.run.attempt.get(), 0);
    assert!(bench.events(job).await.contains(&"provider_missing".to_owned()));
    bench.services.providers = providers;
    assert_eq!(bench.drive(job).await.run.state, State::Succeeded);
}
