//! Lines of a job's history.

use koinon_domain::{Event, EventName, EventSeq, JobId, State};
use koinon_store::Error;
use sqlx::postgres::PgRow;

use super::columns::Columns;
use super::document;
use super::each::each;
use super::instant::Instant;
use crate::tx::Query;

/// A new event, and whose it is.
pub(crate) type NewEvent = (JobId, Event);

/// Adds the columns of new events.
pub(crate) fn bind_events<'q>(query: Query<'q>, rows: &'q [NewEvent]) -> Query<'q> {
    let query = each(query, rows, |(job, _)| job.as_uuid());
    let query = each(query, rows, |(_, event)| event.seq.get());
    let query = each(query, rows, |(_, event)| Instant(event.at));
    let query = each(query, rows, |(_, event)| event.generation.get());
    let query = each(query, rows, |(_, event)| event.name.as_str());
    let query = each(query, rows, |(_, event)| event.from.map(State::as_str));
    let query = each(query, rows, |(_, event)| event.to.map(State::as_str));
    each(query, rows, |(_, event)| document::text(&event.detail))
}

pub(crate) fn event(row: &PgRow) -> Result<Event, Error> {
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
