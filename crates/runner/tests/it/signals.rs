//! Pause and cancel from outside, while calls are under way.

use std::time::Duration;

use koinon_domain::{Control, JobId, State};
use koinon_kit::job;
use koinon_store::{ControlRequest, EntryKind};

use crate::bench::{Asks, Bench};

async fn control(bench: &Bench, job: JobId, control: Control) {
    let request = ControlRequest::State(control);
    bench.stores.jobs.control(&bench.tenant(), job, request).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_pause_lets_the_calls_under_way_finish_and_starts_no_other() {
    let bench = Bench::new(Asks::new(20, 2));
    bench.provider.close_gate();
    let job = bench.submit(job()).await;
    let (status, ()) = tokio::join!(bench.drive(job), async {
        bench.provider.arrived(2).await;
        control(&bench, job, Control::Pause).await;
        tokio::time::sleep(Duration::from_secs(2)).await;
        bench.provider.open_gate();
    });
    assert_eq!(status.run.state, State::Paused);
    assert_eq!(bench.provider.count(), 2);
    assert_eq!(bench.entries(job, EntryKind::Settled).await, 2);
    control(&bench, job, Control::Resume).await;
    assert_eq!(bench.drive(job).await.run.state, State::Succeeded);
    assert_eq!(bench.provider.count(), 20);
}

#[tokio::test(start_paused = true)]
async fn a_call_that_outlives_the_flush_time_is_dropped_and_in_doubt() {
    let bench = Bench::new(Asks::new(5, 1));
    bench.provider.close_gate();
    let job = bench.submit(job()).await;
    let (status, asked) = tokio::join!(bench.drive(job), async {
        bench.provider.arrived(1).await;
        control(&bench, job, Control::Pause).await;
        tokio::time::Instant::now()
    });
    assert_eq!(status.run.state, State::Paused);
    assert!(asked.elapsed() <= bench.config.flush_for + Duration::from_secs(3));
    assert_eq!(bench.entries(job, EntryKind::InDoubt).await, 1);
}

#[tokio::test(start_paused = true)]
async fn a_cancel_ends_the_job_as_cancelled_in_bounded_time() {
    let bench = Bench::new(Asks::new(5, 2));
    bench.provider.close_gate();
    let job = bench.submit(job()).await;
    let (status, asked) = tokio::join!(bench.drive(job), async {
        bench.provider.arrived(2).await;
        control(&bench, job, Control::Cancel).await;
        tokio::time::Instant::now()
    });
    assert_eq!(status.run.state, State::Cancelled);
    assert!(asked.elapsed() <= bench.config.flush_for + Duration::from_secs(3));
    assert_eq!(bench.provider.count(), 2);
}

#[tokio::test(start_paused = true)]
async fn a_pause_does_not_hide_that_the_job_can_never_succeed() {
    let bench = Bench::new(Asks::new(5, 1));
    let quota = koinon_kit::refused(koinon_retry::Class::QuotaExhausted, None);
    bench.provider.script([quota]);
    bench.provider.close_gate();
    let job = bench.submit(job()).await;
    let (status, ()) = tokio::join!(bench.drive(job), async {
        bench.provider.arrived(1).await;
        control(&bench, job, Control::Pause).await;
        tokio::time::sleep(Duration::from_secs(2)).await;
        bench.provider.open_gate();
    });
    assert_eq!(status.run.state, State::Failed);
}
