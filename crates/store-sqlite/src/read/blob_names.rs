//! The names of blobs that stand in rows.

use koinon_domain::{ItemKey, JobId, ScheduleId};
use koinon_store::{Error, NamesAfter, NamesPage};
use uuid::Uuid;

use crate::statement::query;
use crate::{SqliteStore, row};

pub(crate) async fn blob_names(
    store: &SqliteStore,
    after: &NamesAfter,
    limit: u32,
) -> Result<NamesPage, Error> {
    let key = |id: Option<Uuid>| id.unwrap_or_else(Uuid::nil);
    let query = match after {
        NamesAfter::Schedules(after) => query(include_str!("../sql/names_in_schedules.sql"))
            .bind(key(after.map(ScheduleId::as_uuid))),
        NamesAfter::Jobs(after) => {
            query(include_str!("../sql/names_in_jobs.sql")).bind(key(after.map(JobId::as_uuid)))
        }
        NamesAfter::Outcomes(after) => {
            query(include_str!("../sql/names_in_outcomes.sql")).bind(key(after.map(JobId::as_uuid)))
        }
        NamesAfter::Checkpoints(after) => {
            let (job, key) = after
                .as_ref()
                .map_or((JobId::from_uuid(Uuid::nil()), None), |one| (one.0, Some(&one.1)));
            query(include_str!("../sql/names_in_checkpoints.sql"))
                .bind(job.as_uuid())
                .bind(key.map_or_else(String::new, |key| key.stage.to_string()))
                .bind(key.map_or(0, |key| i64::from(key.version)))
                .bind(
                    key.and_then(|key| key.item.as_ref())
                        .map_or_else(String::new, ItemKey::to_string),
                )
                .bind(key.map_or([0; 32], |key| *key.input.as_bytes()).to_vec())
        }
        NamesAfter::Entries(after) => {
            query(include_str!("../sql/names_in_ledger.sql")).bind(*after)
        }
    };
    row::names_page(&store.all(query.bind(i64::from(limit))).await?, after, limit)
}
