//! The port for knowing which workers there are.

use std::time::Duration;

use async_trait::async_trait;
use koinon_domain::WorkerId;
use koinon_store::{Error, SeenWorker, WorkerCard, WorkerStore};

use crate::{PostgresStore, read, write};

#[async_trait]
impl WorkerStore for PostgresStore {
    async fn seen(&self, card: &WorkerCard) -> Result<(), Error> {
        write::worker_seen(self.shared(), card).await
    }

    async fn gone(&self, worker: WorkerId) -> Result<(), Error> {
        write::worker_gone(self.shared(), worker).await
    }

    async fn workers(&self, within: Duration) -> Result<Vec<SeenWorker>, Error> {
        read::workers(self, within).await
    }
}
