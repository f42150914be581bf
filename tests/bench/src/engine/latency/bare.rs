//! The floor: a session that inserts and notifies, and another that hears it and claims.

use anyhow::ensure;
use koinon::store::{Clock as _, SystemClock};
use sqlx::postgres::PgListener;
use sqlx::{Connection as _, PgConnection};

use super::ms_since;
use crate::engine::server::Scratch;

/// A bare queue and its two ends.
pub(super) struct Bare {
    clock: SystemClock,
    submits: PgConnection,
    hears: PgListener,
    claims: PgConnection,
}

impl Bare {
    pub(super) async fn open(scratch: &Scratch) -> anyhow::Result<Self> {
        let mut submits = scratch.session().await?;
        let schema = include_str!("../../../sql/latency/schema.sql");
        sqlx::raw_sql(schema).execute(&mut submits).await?;
        let mut hears = PgListener::connect(&scratch.url).await?;
        hears.listen("bare").await?;
        let claims = scratch.session().await?;
        Ok(Self { clock: SystemClock::new(), submits, hears, claims })
    }

    /// One job, from before its insertion to the end of the commit of its claim, in milliseconds.
    pub(super) async fn start(&mut self) -> anyhow::Result<f64> {
        let began = self.clock.monotonic();
        let submit = async {
            let insert = sqlx::query(include_str!("../../../sql/latency/insert.sql"));
            insert.bind(super::subject::PAYLOAD).execute(&mut self.submits).await?;
            let notify = sqlx::query(include_str!("../../../sql/latency/notify.sql"));
            notify.execute(&mut self.submits).await
        };
        let claim = async {
            self.hears.recv().await?;
            let claim = sqlx::query(include_str!("../../../sql/latency/claim.sql"));
            let claimed = claim.fetch_all(&mut self.claims).await?;
            Ok::<_, sqlx::Error>((claimed.len(), ms_since(&self.clock, began)))
        };
        let (submitted, claimed) = tokio::join!(submit, claim);
        submitted?;
        let (count, took) = claimed?;
        ensure!(count == 1, "a bare claim took {count} jobs");
        Ok(took)
    }

    pub(super) async fn close(self) -> anyhow::Result<()> {
        self.submits.close().await?;
        Ok(self.claims.close().await?)
    }
}
