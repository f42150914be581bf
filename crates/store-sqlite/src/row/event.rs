//! Lines of a job's history.

use koinon_domain::{Event, JobId, State};
use koinon_store::row::json;

use crate::statement::Query;

/// Adds the arguments of a new event of a job.
pub(crate) fn bind_event<'a>(query: Query<'a>, job: JobId, event: &'a Event) -> Query<'a> {
    query
        .bind(job.as_uuid())
        .bind(event.seq.get())
        .bind(event.at.as_micros())
        .bind(event.generation.get())
        .bind(event.name.as_str())
        .bind(event.from.map(State::as_str))
        .bind(event.to.map(State::as_str))
        .bind(json(&event.detail))
}
