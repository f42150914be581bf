//! Whether there is anything to do.

use koinon_domain::QueueName;
use koinon_store::{Error, Peek, PeekRequest};

use crate::{PostgresStore, row};

pub(crate) async fn peek(store: &PostgresStore, request: &PeekRequest) -> Result<Peek, Error> {
    let query = sqlx::query(include_str!("../sql/peek.sql"))
        .bind(request.queues.iter().map(QueueName::as_str).collect::<Vec<_>>())
        .bind(request.owner.as_uuid())
        .bind(store.given());
    let found = store.first_at_once(query).await?;
    row::peek(&found.ok_or_else(|| Error::Corrupt { what: "a peek answered nothing".into() })?)
}
