//! The port for what goes after a while.

use std::time::Duration;

use async_trait::async_trait;
use koinon_domain::{DatabaseId, QueueName, Timestamp};
use koinon_store::{Error, NamesAfter, NamesPage, Old, OldCursor, OldPage, Pruned, RetentionStore};

use crate::{PostgresStore, read, write};

#[async_trait]
impl RetentionStore for PostgresStore {
    async fn database_id(&self) -> Result<DatabaseId, Error> {
        read::database_id(self).await
    }

    async fn ended_queues(&self) -> Result<Vec<QueueName>, Error> {
        read::ended_queues(self).await
    }

    async fn old_jobs(
        &self,
        old: &Old,
        after: Option<OldCursor>,
        limit: u32,
    ) -> Result<OldPage, Error> {
        read::old_jobs(self, old, after, limit).await
    }

    async fn prune_jobs(&self, old: &Old, limit: u32) -> Result<Pruned, Error> {
        write::prune_jobs(self.shared(), old, limit).await
    }

    async fn take_turn(&self, name: &'static str, every: Duration) -> Result<bool, Error> {
        write::take_turn(self.shared(), name, every).await
    }

    async fn held_since(&self) -> Result<Timestamp, Error> {
        read::held_since(self).await
    }

    async fn blob_names(&self, after: &NamesAfter, limit: u32) -> Result<NamesPage, Error> {
        read::blob_names(self, after, limit).await
    }
}
