//! Lines of a job's history.

use koinon_domain::{Event, JobId, State};
use koinon_store::row::json;

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
    each(query, rows, |(_, event)| json(&event.detail))
}
