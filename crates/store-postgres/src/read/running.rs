//! How many jobs of a queue are held.

use koinon_domain::QueueName;
use koinon_store::{Error, Running};

use crate::PostgresStore;
use crate::row;

pub(crate) async fn running(store: &PostgresStore, queue: &QueueName) -> Result<Running, Error> {
    let query = sqlx::query(include_str!("../sql/running.sql")).bind(queue.as_str());
    row::running(&store.all(query).await?)
}
