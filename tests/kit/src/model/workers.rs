//! Which workers there are.

use std::time::Duration;

use async_trait::async_trait;
use koinon_domain::WorkerId;
use koinon_store::{Error, FORGOTTEN_AFTER, SeenWorker, WorkerCard, WorkerStore};

use super::ModelStore;

#[async_trait]
impl WorkerStore for ModelStore {
    async fn seen(&self, card: &WorkerCard) -> Result<(), Error> {
        let (mut rows, now) = self.begin();
        let started_at = rows.workers.get(&card.id).map_or(now, |worker| worker.started_at);
        rows.workers.insert(card.id, SeenWorker { card: card.clone(), started_at, seen_at: now });
        rows.workers.retain(|_, worker| now.since(worker.seen_at) <= FORGOTTEN_AFTER);
        Ok(())
    }

    async fn gone(&self, worker: WorkerId) -> Result<(), Error> {
        self.begin().0.workers.remove(&worker);
        Ok(())
    }

    async fn workers(&self, within: Duration) -> Result<Vec<SeenWorker>, Error> {
        let (rows, now) = self.begin();
        let lately = |worker: &&SeenWorker| now.since(worker.seen_at) <= within;
        Ok(rows.workers.values().filter(lately).cloned().collect())
    }
}
