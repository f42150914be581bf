//! Jobs that ended so long ago that they may go.

use koinon_domain::{DatabaseId, QueueName, Timestamp};
use koinon_store::{Error, Old, OldCursor, OldPage};
use uuid::Uuid;

use crate::SqliteStore;
use crate::row::{self, Columns, micros};
use crate::statement::query;

pub(crate) async fn ended_queues(store: &SqliteStore) -> Result<Vec<QueueName>, Error> {
    let rows = store.all(query(include_str!("../sql/ended_queues.sql"))).await?;
    let name = |found| Columns::new(found, "an outcome").text("queue", QueueName::try_new);
    rows.iter().map(name).collect()
}

pub(crate) async fn old_jobs(
    store: &SqliteStore,
    old: &Old,
    after: Option<OldCursor>,
    limit: u32,
) -> Result<OldPage, Error> {
    let (ended_at, job) = after
        .map_or((Timestamp::from_micros(0), Uuid::nil()), |after| (after.0, after.1.as_uuid()));
    let query = query(include_str!("../sql/old_jobs.sql"))
        .bind(old.queue.to_string())
        .bind(old.state.as_str())
        .bind(store.now().as_micros().saturating_sub(micros(old.kept_for)))
        .bind(ended_at.as_micros())
        .bind(job)
        .bind(i64::from(limit));
    row::old_page(&store.all(query).await?, limit)
}

pub(crate) async fn held_since(store: &SqliteStore) -> Result<Timestamp, Error> {
    let query = query(include_str!("../sql/held_since.sql")).bind(store.now().as_micros());
    let found = store.first(query).await?;
    let missing = || Error::Corrupt { what: "the time of the store is missing".to_owned() };
    Columns::new(&found.ok_or_else(missing)?, "the claims").instant("held_since")
}

pub(crate) async fn database_id(store: &SqliteStore) -> Result<DatabaseId, Error> {
    let found = store.first(query(include_str!("../sql/identity.sql"))).await?;
    let missing = || Error::Corrupt { what: "the database has no identity".to_owned() };
    let found = found.ok_or_else(missing)?;
    Columns::new(&found, "the identity").get("database_id").map(DatabaseId::from_uuid)
}
