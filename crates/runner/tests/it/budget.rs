//! A job stops before its budget is exceeded.

use koinon_budget::Limits;
use koinon_domain::State;
use koinon_kit::job;
use koinon_store::{ControlRequest, EntryKind};

use crate::bench::{Asks, Bench};

/// An answered call costs 1 000 nano-dollars and holds about 2 300, so ten thousand are enough for eight.
const TEN_CALLS: &str = "0.00001";

#[tokio::test(start_paused = true)]
async fn the_budget_is_spent_down_to_one_worst_case_at_any_concurrency() {
    for concurrency in [1, 4, 16] {
        let bench = Bench::new(Asks::new(30, concurrency));
        let job = bench.submit(job().budget(TEN_CALLS)).await;
        let status = bench.drive(job).await;
        assert_eq!(status.run.state, State::Paused, "concurrency {concurrency}");
        assert_eq!(status.run.failed.unwrap().code.as_str(), "budget_exhausted");
        assert_eq!(status.run.balance.spent.cost.get(), 8_000, "concurrency {concurrency}");
        assert_eq!(bench.provider.count(), 8, "concurrency {concurrency}");
        assert_eq!(status.run.attempt.get(), 0, "a pause gives the attempt back");
    }
}

#[tokio::test(start_paused = true)]
async fn after_a_raise_the_job_goes_on_without_repeating_a_call() {
    let bench = Bench::new(Asks::new(30, 4));
    let job = bench.submit(job().budget(TEN_CALLS)).await;
    bench.drive(job).await;
    let raise = Limits { cost: Some("0.001".parse().unwrap()), ..Limits::default() };
    let tenant = bench.tenant();
    bench.stores.jobs.control(&tenant, job, ControlRequest::RaiseLimits(raise)).await.unwrap();
    let resume = ControlRequest::State(koinon_domain::Control::Resume);
    bench.stores.jobs.control(&tenant, job, resume).await.unwrap();
    let status = bench.drive(job).await;
    assert_eq!(status.run.state, State::Succeeded);
    assert_eq!(bench.provider.count(), 30);
    assert_eq!(bench.entries(job, EntryKind::Settled).await, 30);
}

#[tokio::test(start_paused = true)]
async fn a_limit_on_calls_and_on_items_is_never_passed() {
    for limits in [
        Limits { calls: Some(3), ..Limits::default() },
        Limits { items: Some(3), ..Limits::default() },
    ] {
        let bench = Bench::new(Asks::new(10, 4));
        let job = bench.submit(job().limits(limits)).await;
        let status = bench.drive(job).await;
        assert_eq!(status.run.state, State::Paused);
        assert_eq!(bench.provider.count(), 3);
    }
}

#[tokio::test(start_paused = true)]
async fn a_budget_of_zero_sends_nothing() {
    let bench = Bench::new(Asks::new(3, 2));
    let job = bench.submit(job().budget("0")).await;
    assert_eq!(bench.drive(job).await.run.state, State::Paused);
    assert_eq!(bench.provider.count(), 0);
}

#[tokio::test(start_paused = true)]
async fn a_model_without_a_price_is_refused_before_the_call_where_cost_is_limited() {
    let mut bench = Bench::new(Asks::new(3, 2));
    bench.services.profiles = koinon_budget::Profiles::default();
    let limited = bench.submit(job().budget("5")).await;
    let status = bench.drive(limited).await;
    assert_eq!(status.run.state, State::Failed);
    assert_eq!(status.run.failed.unwrap().code.as_str(), "price_unknown");
    assert_eq!(bench.provider.count(), 0);
    let free = bench.submit(job().identity("without a limit")).await;
    assert_eq!(bench.drive(free).await.run.state, State::Succeeded);
}

#[tokio::test(start_paused = true)]
async fn usage_above_the_hold_is_booked_in_full_and_pauses_a_job_that_is_over() {
    let bench = Bench::new(Asks::new(2, 1));
    let huge =
        koinon_budget::Usage { input_tokens: 1_000_000, cached_input_tokens: 0, output_tokens: 0 };
    let answer =
        koinon_provider::Answer { text: "dear".to_owned(), usage: Some(huge), response_id: None };
    bench.provider.script([koinon_provider::Outcome::Answered(answer)]);
    let job = bench.submit(job().budget("0.001")).await;
    let status = bench.drive(job).await;
    assert_eq!(status.run.state, State::Paused);
    assert_eq!(status.run.balance.spent.cost.to_string(), "0.01");
    assert!(bench.events(job).await.contains(&"hold_exceeded".to_owned()));
    assert_eq!(bench.provider.count(), 1);
}
