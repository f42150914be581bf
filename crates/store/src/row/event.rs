//! Lines of a job's history.

use koinon_domain::{Event, EventName, EventSeq};

use super::{Columns, Fields};
use crate::Error;

/// A line of a job's history.
///
/// # Errors
///
/// [`Error::Corrupt`].
pub fn event<F: Fields>(row: &F) -> Result<Event, Error> {
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
