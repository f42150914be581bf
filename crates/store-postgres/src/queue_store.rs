//! The port for looking at queues.

use async_trait::async_trait;
use koinon_domain::QueueName;
use koinon_store::{Error, QueueBacklog, QueueStore};

use crate::{PostgresStore, read};

#[async_trait]
impl QueueStore for PostgresStore {
    async fn backlog(&self, queues: &[QueueName]) -> Result<Vec<QueueBacklog>, Error> {
        read::backlog(self, queues).await
    }
}
