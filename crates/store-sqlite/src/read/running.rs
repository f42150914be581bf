//! How many jobs of a queue are held.

use koinon_domain::QueueName;
use koinon_store::{Error, Running};

use crate::SqliteStore;
use crate::row;
use crate::statement::query;

pub(crate) async fn running(store: &SqliteStore, queue: &QueueName) -> Result<Running, Error> {
    let query = query(include_str!("../sql/running.sql")).bind(queue.to_string());
    row::running(&store.all(query).await?)
}
