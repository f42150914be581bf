//! The port for queues as a whole.

use async_trait::async_trait;
use koinon_domain::QueueName;
use koinon_store::{Error, QueueBacklog, QueueStore, Running, RunningLimits};

use crate::write::QueueChange;
use crate::writer::Request;
use crate::{SqliteStore, read};

#[async_trait]
impl QueueStore for SqliteStore {
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
        self.write(Request::Queue, QueueChange::Pause(queue.clone())).await
    }

    async fn resume(&self, queue: &QueueName) -> Result<bool, Error> {
        self.write(Request::Queue, QueueChange::Resume(queue.clone())).await
    }
}
