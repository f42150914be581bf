//! The tick: whether there is anything to do.

use std::time::Duration;

use koinon_domain::{Control, QueueName, WorkerId};
use koinon_store::{Clock as _, End, Peek, PeekRequest, Signal};

use crate::{Case, LEASE, commit, job};

async fn peek(case: &Case, owner: WorkerId, queues: &[&str]) -> Peek {
    let queues = queues.iter().map(|name| QueueName::try_new(*name).unwrap()).collect();
    case.stores.leases.peek(&PeekRequest { owner, queues }).await.unwrap()
}

pub async fn a_peek_names_the_asked_queues_that_have_ready_work(case: &Case) {
    case.submit(job()).await;
    case.submit(job().queue("index")).await;
    let seen = peek(case, case.worker(), &["profile", "report"]).await;
    assert_eq!(seen.ready, [QueueName::try_new("report").unwrap()]);
    case.claim(case.worker(), 5).await;
    let seen = peek(case, case.worker(), &["profile", "report"]).await;
    assert_eq!(seen.ready, []);
    assert_eq!((seen.due, seen.expired), (false, false));
}

pub async fn a_peek_flags_waits_that_are_over_and_says_when_the_next_one_is(case: &Case) {
    let held = case.running(job()).await;
    let over_at = case.clock.now().after(Duration::from_secs(5));
    case.applied(commit(&held).retry_after(Duration::from_secs(5))).await;
    let seen = peek(case, held.owner, &["report"]).await;
    assert_eq!((seen.due, seen.next_due_at), (false, Some(over_at)));
    assert_eq!(peek(case, held.owner, &["index"]).await.next_due_at, None);
    case.clock.advance(Duration::from_secs(5));
    let seen = peek(case, held.owner, &["report"]).await;
    assert!(seen.due);
    assert_eq!(seen.ready, []);
    case.recover().await;
    let seen = peek(case, held.owner, &["report"]).await;
    assert_eq!((seen.due, seen.next_due_at), (false, None));
    assert_eq!(seen.ready.len(), 1);
}

pub async fn a_job_that_was_handed_back_for_a_while_is_no_wait(case: &Case) {
    let held = case.leased(job()).await;
    let end = End::HandedBack { wait: Duration::from_secs(30), interrupted: false };
    case.applied(commit(&held).end(end)).await;
    let seen = peek(case, held.owner, &["report"]).await;
    assert_eq!((seen.ready, seen.due, seen.next_due_at), (Vec::new(), false, None));
}

pub async fn a_peek_flags_leases_that_have_expired(case: &Case) {
    let held = case.leased(job()).await;
    let seen = peek(case, held.owner, &["report"]).await;
    let expires_at = case.run(held.job).await.lease.unwrap().expires_at;
    assert_eq!((seen.expired, seen.next_expiry_at), (false, Some(expires_at)));
    case.clock.advance(LEASE + Duration::from_secs(1));
    assert!(peek(case, held.owner, &["report"]).await.expired);
    case.recover().await;
    let seen = peek(case, held.owner, &["report"]).await;
    assert_eq!((seen.expired, seen.next_expiry_at), (false, None));
}

pub async fn a_peek_tells_a_worker_which_of_its_own_jobs_shall_stop(case: &Case) {
    let pausing = case.running(job()).await;
    let mut cancelling = case.leased(job()).await;
    assert_eq!(peek(case, pausing.owner, &["report"]).await.signals, []);
    case.control(pausing.job, Control::Pause).await;
    case.control(cancelling.job, Control::Cancel).await;
    let seen = peek(case, pausing.owner, &["report"]).await;
    assert_eq!(seen.signals, [(pausing.job, pausing.generation, Signal::Pause)]);
    let seen = peek(case, cancelling.owner, &[]).await;
    assert_eq!(seen.signals, [(cancelling.job, cancelling.generation, Signal::Cancel)]);
    assert_eq!(peek(case, case.worker(), &["report"]).await.signals, []);
    case.applied(commit(&cancelling).flush()).await;
    cancelling.owner = pausing.owner;
    assert_eq!(peek(case, cancelling.owner, &[]).await.signals.len(), 1);
}

pub async fn a_peek_tells_the_time_of_the_store(case: &Case) {
    assert_eq!(peek(case, case.worker(), &[]).await.now, case.clock.now());
}
