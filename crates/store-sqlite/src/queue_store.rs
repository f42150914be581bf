//! The port for looking at queues.

use async_trait::async_trait;
use koinon_domain::QueueName;
use koinon_store::{Error, QueueBacklog, QueueStore};

use crate::{SqliteStore, read};

#[async_trait]
impl QueueStore for SqliteStore {
    async fn backlog(&self, queues: &[QueueName]) -> Result<Vec<QueueBacklog>, Error> {
        read::backlog(self, queues).await
    }
}
