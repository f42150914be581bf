//! Lines of a job's history.

use crate::values::Row;
use koinon_domain::{Event, EventName, EventSeq, JobId, State};
use koinon_store::Error;

use super::columns::Columns;
use super::document;
use crate::statement::Query;

/// Adds the arguments of a new event of a job.
pub(crate) fn bind_event(query: Query, job: JobId, event: &Event) -> Query {
    query
        .bind(job.as_uuid())
        .bind(event.seq.get())
        .bind(event.at.as_micros())
        .bind(event.generation.get())
        .bind(event.name.as_str().to_owned())
        .bind(event.from.map(State::as_str))
        .bind(event.to.map(State::as_str))
        .bind(document::text(&event.detail))
}

pub(crate) fn event(row: &Row) -> Result<Event, Error> {
    let row = Columns::new(row, "an event");
    Ok(Event {
        seq: EventSeq::new(row.get("seq")?),
        at: row.instant("at")?,
        generation: row.generation("generation")?,
        name: EventName::from_stored(row.get("name")?),
        from: row.some_text("from_state", str::parse)?,
        to: row.some_text("to_state", str::parse)?,
        detail: row.document("detail")?,
    })
}
