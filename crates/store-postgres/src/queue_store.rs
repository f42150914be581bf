//! The port for queues as a whole.

use async_trait::async_trait;
use koinon_domain::QueueName;
use koinon_store::{Error, QueueBacklog, QueueStore, Running, RunningLimits};

use crate::{PostgresStore, read, write};

#[async_trait]
impl QueueStore for PostgresStore {
    async fn backlog(
        &self,
        queues: &[(QueueName, RunningLimits)],
    ) -> Result<Vec<QueueBacklog>, Error> {
        read::backlog(self, queues).await
    }

    async fn running(&self, queue: &QueueName) -> Result<Running, Error> {
        read::running(self, queue).await
    }

    async fn pause(&self, queue: &QueueName) -> Result<bool, Error> {
        write::pause_queue(self.shared(), queue).await
    }

    async fn resume(&self, queue: &QueueName) -> Result<bool, Error> {
        write::resume_queue(self.shared(), queue).await
    }
}
