//! The port for knowing which workers there are.

use std::time::Duration;

use async_trait::async_trait;
use koinon_domain::WorkerId;
use koinon_store::{Error, SeenWorker, WorkerCard, WorkerStore};

use crate::write::WorkerNews;
use crate::writer::Request;
use crate::{SqliteStore, read};

#[async_trait]
impl WorkerStore for SqliteStore {
    async fn seen(&self, card: &WorkerCard) -> Result<(), Error> {
        self.write(Request::Worker, WorkerNews::Seen(card.clone())).await
    }

    async fn gone(&self, worker: WorkerId) -> Result<(), Error> {
        self.write(Request::Worker, WorkerNews::Gone(worker)).await
    }

    async fn workers(&self, within: Duration) -> Result<Vec<SeenWorker>, Error> {
        read::workers(self, within).await
    }
}
