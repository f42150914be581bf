//! Jobs that ended so long ago that they may go.

use koinon_domain::{DatabaseId, QueueName, Timestamp};
use koinon_store::{Error, Old, OldCursor, OldPage};
use uuid::Uuid;

use crate::PostgresStore;
use crate::row::{self, Columns, Instant, micros};

pub(crate) async fn ended_queues(store: &PostgresStore) -> Result<Vec<QueueName>, Error> {
    let rows = store.all(sqlx::query(include_str!("../sql/ended_queues.sql"))).await?;
    let name = |found| Columns::new(found, "an outcome").text("queue", QueueName::try_new);
    rows.iter().map(name).collect()
}

pub(crate) async fn old_jobs(
    store: &PostgresStore,
    old: &Old,
    after: Option<OldCursor>,
    limit: u32,
) -> Result<OldPage, Error> {
    let (ended_at, job) = after
        .map_or((Timestamp::from_micros(0), Uuid::nil()), |after| (after.0, after.1.as_uuid()));
    let query = sqlx::query(include_str!("../sql/old_jobs.sql"))
        .bind(old.queue.as_str())
        .bind(old.state.as_str())
        .bind(micros(old.kept_for))
        .bind(store.given())
        .bind(Instant(ended_at))
        .bind(job)
        .bind(i64::from(limit));
    row::old_page(&store.all(query).await?, limit)
}

pub(crate) async fn held_since(store: &PostgresStore) -> Result<Timestamp, Error> {
    let query = sqlx::query(include_str!("../sql/held_since.sql")).bind(store.given());
    let found = store.first(query).await?;
    let missing = || Error::Corrupt { what: "the time of the store is missing".to_owned() };
    Columns::new(&found.ok_or_else(missing)?, "the claims").instant("held_since")
}

pub(crate) async fn database_id(store: &PostgresStore) -> Result<DatabaseId, Error> {
    let found = store.first(sqlx::query(include_str!("../sql/identity.sql"))).await?;
    let missing = || Error::Corrupt { what: "the database has no identity".to_owned() };
    let found = found.ok_or_else(missing)?;
    Columns::new(&found, "the identity").get("database_id").map(DatabaseId::from_uuid)
}
