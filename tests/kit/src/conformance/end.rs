//! The ends of claims.

use std::time::Duration;

use koinon_domain::{Attempt, Control, Digest, ErrorCode, State};
use koinon_store::{Artifact, Clock as _, End, Manifest};

use crate::{Case, commit, job};

pub async fn a_job_that_succeeded_has_its_manifest(case: &Case) {
    let held = case.running(job()).await;
    let artifact = Artifact {
        name: "train.jsonl".to_owned(),
        media_type: "application/jsonl".to_owned(),
        size_bytes: 1 << 40,
        digest: Digest::of(b"rows"),
    };
    let second = Artifact { name: "card.md".to_owned(), ..artifact.clone() };
    let summary = br#"{"rows":{"train":20}}"#.to_vec();
    let manifest = Manifest { artifacts: vec![artifact, second], summary };
    case.applied(commit(&held).end(End::Succeeded(manifest.clone()))).await;
    let run = case.run(held.job).await;
    assert_eq!((run.state, run.manifest), (State::Succeeded, Some(manifest)));
    assert_eq!((run.ended_at, run.lease), (Some(case.clock.now()), None));
    assert_eq!(run.failed, None);
}

pub async fn a_failed_job_says_why(case: &Case) {
    let held = case.running(job()).await;
    case.applied(commit(&held).fail()).await;
    let run = case.run(held.job).await;
    let failed = run.failed.unwrap();
    assert_eq!((run.state, failed.code), (State::Failed, ErrorCode::PERMANENT));
    assert_eq!(failed.summary.as_str(), "the source is missing");
    let last = case.events(held.job).await.pop().unwrap();
    assert_eq!(last.detail["error_code"], "permanent");
}

pub async fn a_job_may_fail_before_it_has_started(case: &Case) {
    let held = case.leased(job()).await;
    case.applied(commit(&held).fail()).await;
    assert_eq!(case.state(held.job).await, State::Failed);
}

pub async fn a_retry_wait_lasts_until_its_instant(case: &Case) {
    let held = case.running(job()).await;
    case.applied(commit(&held).retry_after(Duration::from_secs(30))).await;
    let run = case.run(held.job).await;
    assert_eq!((run.state, run.lease), (State::RetryWait, None));
    assert_eq!(run.ready_at, case.clock.now().after(Duration::from_secs(30)));
    assert_eq!(run.failed.unwrap().code, ErrorCode::TRANSIENT);
    case.clock.advance(Duration::from_micros(29_999_999));
    assert_eq!(case.recover().await.due, []);
    assert_eq!(case.claim(case.worker(), 1).await, []);
    case.clock.advance(Duration::from_micros(1));
    assert_eq!(case.recover().await.due, [held.job]);
    assert_eq!(case.state(held.job).await, State::Queued);
    assert_eq!(case.recover().await.due, []);
    case.take(held.job).await;
    assert_eq!(case.run(held.job).await.attempt, Attempt::new(2));
}

pub async fn the_reason_of_a_wait_goes_when_the_job_starts_again(case: &Case) {
    let held = case.running(job()).await;
    case.applied(commit(&held).retry_after(Duration::ZERO)).await;
    case.recover().await;
    let held = case.take(held.job).await;
    case.applied(commit(&held).start()).await;
    assert_eq!(case.run(held.job).await.failed, None);
}

pub async fn a_hand_back_spends_no_attempt(case: &Case) {
    let id = case.submit(job()).await;
    for _ in 0..5 {
        let held = case.take(id).await;
        case.applied(commit(&held).hand_back()).await;
        let run = case.run(id).await;
        assert_eq!((run.state, run.attempt), (State::Queued, Attempt::ZERO));
        assert_eq!(run.ready_at, case.clock.now());
    }
}

pub async fn a_drain_is_counted(case: &Case) {
    let held = case.running(job()).await;
    let end = End::HandedBack { wait: Duration::ZERO, interrupted: true };
    case.applied(commit(&held).end(end)).await;
    let run = case.run(held.job).await;
    assert_eq!((run.state, run.streaks.interruptions), (State::Queued, 1));
    assert_eq!((run.attempt, run.failed), (Attempt::ZERO, None));
}

pub async fn a_pause_gives_the_attempt_back(case: &Case) {
    let held = case.running(job()).await;
    case.control(held.job, Control::Pause).await;
    case.applied(commit(&held).flush()).await;
    let run = case.run(held.job).await;
    assert_eq!((run.state, run.attempt, run.lease), (State::Paused, Attempt::ZERO, None));
}

pub async fn a_used_up_budget_pauses_the_job_with_its_reason(case: &Case) {
    let held = case.running(job().budget("0.1")).await;
    case.applied(commit(&held).out_of_budget()).await;
    assert_eq!(case.state(held.job).await, State::Pausing);
    assert!(case.run(held.job).await.lease.is_some());
    case.applied(commit(&held).checkpoint("a").flush()).await;
    let run = case.run(held.job).await;
    assert_eq!((run.state, run.attempt), (State::Paused, Attempt::ZERO));
    assert_eq!(run.failed.unwrap().code, ErrorCode::BUDGET_EXHAUSTED);
    let told = case.told(held.job).await;
    assert_eq!(told[3..], ["budget_exhausted", "checkpointed", "flushed"]);
}

pub async fn a_drain_does_not_hide_why_a_job_pauses(case: &Case) {
    let held = case.running(job().budget("0.1")).await;
    case.applied(commit(&held).out_of_budget()).await;
    let end = End::HandedBack { wait: Duration::ZERO, interrupted: true };
    case.applied(commit(&held).end(end)).await;
    let run = case.run(held.job).await;
    assert_eq!(run.state, State::Paused);
    assert_eq!(run.failed.map(|failed| failed.code), Some(ErrorCode::BUDGET_EXHAUSTED));
}

pub async fn a_job_that_is_pausing_ends_as_the_table_says(case: &Case) {
    let held = case.running(job()).await;
    case.control(held.job, Control::Pause).await;
    case.applied(commit(&held).succeed()).await;
    let run = case.run(held.job).await;
    assert_eq!((run.state, run.manifest), (State::Paused, None));
    let held = case.running(job()).await;
    case.control(held.job, Control::Pause).await;
    case.applied(commit(&held).retry_after(Duration::from_secs(5))).await;
    assert_eq!(case.state(held.job).await, State::Paused);
    let held = case.running(job()).await;
    case.control(held.job, Control::Pause).await;
    case.applied(commit(&held).fail()).await;
    assert_eq!(case.state(held.job).await, State::Failed);
}

pub async fn a_job_that_is_cancelling_ends_cancelled_whatever_its_worker_says(case: &Case) {
    let endings = [
        |held: &crate::Held| commit(held).succeed(),
        |held: &crate::Held| commit(held).fail(),
        |held: &crate::Held| commit(held).retry_after(Duration::from_secs(1)),
        |held: &crate::Held| commit(held).hand_back(),
        |held: &crate::Held| commit(held).flush(),
    ];
    for end in endings {
        let held = case.running(job()).await;
        case.control(held.job, Control::Cancel).await;
        case.applied(end(&held)).await;
        let run = case.run(held.job).await;
        assert_eq!((run.state, run.manifest, run.failed), (State::Cancelled, None, None));
    }
}

pub async fn a_worker_may_find_the_budget_used_up_while_the_job_is_asked_to_stop(case: &Case) {
    let held = case.running(job()).await;
    case.control(held.job, Control::Cancel).await;
    case.applied(commit(&held).out_of_budget()).await;
    assert_eq!(case.state(held.job).await, State::Cancelling);
    let held = case.running(job()).await;
    case.control(held.job, Control::Pause).await;
    case.applied(commit(&held).out_of_budget()).await;
    let run = case.run(held.job).await;
    assert_eq!(run.failed.unwrap().code, ErrorCode::BUDGET_EXHAUSTED);
    assert_eq!(run.state, State::Pausing);
}
