//! Which workers there are.

use std::time::Duration;

use koinon_domain::{QueueName, WorkerId};
use koinon_store::{Clock as _, FORGOTTEN_AFTER, SeenWorker, WorkerCard};

use crate::Case;

const MINUTE: Duration = Duration::from_mins(1);

fn card(id: WorkerId, capacity: u32) -> WorkerCard {
    let queues = vec![QueueName::try_new("report").unwrap()];
    WorkerCard { id, kinds: vec!["report".to_owned(), "it\"s".to_owned()], queues, capacity }
}

async fn lately(case: &Case, within: Duration) -> Vec<SeenWorker> {
    case.stores.workers.workers(within).await.unwrap()
}

pub async fn a_worker_that_was_seen_is_there_until_it_is_gone(case: &Case) {
    let (id, started_at) = (case.worker(), case.clock.now());
    case.stores.workers.seen(&card(id, 1)).await.unwrap();
    case.clock.advance(MINUTE);
    case.stores.workers.seen(&card(id, 2)).await.unwrap();
    let seen_at = case.clock.now();
    let wanted = SeenWorker { card: card(id, 2), started_at, seen_at };
    assert_eq!(lately(case, MINUTE).await, [wanted]);
    case.stores.workers.gone(id).await.unwrap();
    case.stores.workers.gone(case.worker()).await.unwrap();
    assert_eq!(lately(case, FORGOTTEN_AFTER).await, []);
}

pub async fn a_worker_that_is_silent_is_left_out_and_forgotten(case: &Case) {
    let (silent, other) = (case.worker(), case.worker());
    case.stores.workers.seen(&card(silent, 1)).await.unwrap();
    case.clock.advance(MINUTE);
    assert_eq!(lately(case, MINUTE).await.len(), 1);
    case.clock.advance(Duration::from_micros(1));
    assert_eq!(lately(case, MINUTE).await, []);
    assert_eq!(lately(case, FORGOTTEN_AFTER).await.len(), 1);
    case.clock.advance(FORGOTTEN_AFTER);
    case.stores.workers.seen(&card(other, 1)).await.unwrap();
    let all = lately(case, FORGOTTEN_AFTER * 9).await;
    assert_eq!(all.iter().map(|worker| worker.card.id).collect::<Vec<_>>(), [other]);
}
