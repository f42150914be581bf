//! Whether there is anything to do.

use koinon_domain::QueueName;
use koinon_store::{Error, Peek, PeekRequest};

use crate::statement::query;
use crate::{SqliteStore, row};

pub(crate) async fn peek(store: &SqliteStore, request: &PeekRequest) -> Result<Peek, Error> {
    let query = query(include_str!("../sql/peek.sql"))
        .bind(row::texts(request.queues.iter().map(QueueName::as_str)))
        .bind(request.owner.as_uuid())
        .bind(store.now().as_micros());
    let found = store.first(query).await?;
    row::peek(&found.ok_or_else(|| Error::Corrupt { what: "the clock has no row".into() })?)
}
