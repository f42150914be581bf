//! Pausing queues.

use koinon_domain::QueueName;
use koinon_store::{Clock as _, PeekRequest, QueueBacklog, Scope};

use crate::{Case, commit, job};

fn report() -> QueueName {
    QueueName::try_new("report").unwrap()
}

async fn peek(case: &Case) -> Vec<QueueName> {
    let queues = vec![report(), QueueName::try_new("index").unwrap()];
    let request = PeekRequest { owner: case.worker(), queues };
    case.stores.leases.peek(&request).await.unwrap().ready
}

pub async fn nothing_is_claimed_from_a_paused_queue_and_no_peek_names_it(case: &Case) {
    let waiting = case.submit(job()).await;
    let other = case.submit(job().queue("index")).await;
    assert!(case.stores.queues.pause(&report()).await.unwrap());
    assert_eq!(peek(case).await, [QueueName::try_new("index").unwrap()]);
    assert_eq!(case.claim(case.worker(), 5).await, []);
    assert_eq!(case.claim_scope(case.worker(), Scope::Job(waiting), 1).await, []);
    assert_eq!(case.claim_scope(case.worker(), Scope::Job(other), 1).await.len(), 1);
}

pub async fn what_runs_in_a_paused_queue_goes_on(case: &Case) {
    let held = case.running(job()).await;
    case.stores.queues.pause(&report()).await.unwrap();
    case.applied(commit(&held).checkpoint("a")).await;
    case.applied(commit(&held).succeed()).await;
}

pub async fn a_paused_queue_is_shown_with_what_would_be_ready(case: &Case) {
    let paused_at = Some(case.clock.now());
    case.stores.queues.pause(&report()).await.unwrap();
    let shown = |paused| QueueBacklog { paused_at, paused, ..QueueBacklog::empty(report()) };
    assert_eq!(case.stores.queues.backlog(&[]).await.unwrap(), [shown(0)]);
    case.submit(job()).await;
    assert_eq!(case.stores.queues.backlog(&[]).await.unwrap(), [shown(1)]);
}

pub async fn pausing_twice_changes_nothing_and_resuming_lets_it_go_on(case: &Case) {
    let queues = &case.stores.queues;
    case.submit(job()).await;
    assert!(!queues.resume(&report()).await.unwrap());
    assert!(queues.pause(&report()).await.unwrap());
    assert!(!queues.pause(&report()).await.unwrap());
    assert!(queues.resume(&report()).await.unwrap());
    assert_eq!(peek(case).await, [report()]);
    assert_eq!(case.claim(case.worker(), 5).await.len(), 1);
}
