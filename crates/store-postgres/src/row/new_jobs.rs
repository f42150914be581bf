//! New jobs: what those that follow one another have in common is told once.

use std::ops::Range;

use koinon_domain::{Event, State};
use koinon_store::row::{AuthorityDocument, LimitsDocument};
use koinon_store::{Error, JobSpec, Run};
use sqlx::types::Json;

use super::each::each;
use super::run::bind_limits;
use crate::tx::Query;

/// A new job with its run and its first event, and the how-manieth of its identity it is. Its times are those
/// of the statement that writes it.
#[derive(Debug)]
pub(crate) struct NewJobRow {
    pub(crate) spec: JobSpec,
    pub(crate) run: Run,
    pub(crate) event: Event,
    pub(crate) incarnation: i64,
}

impl NewJobRow {
    /// Whether both differ in nothing but their ids, their identities and their payloads.
    fn is_like(&self, other: &Self) -> bool {
        let (one, two) = (&self.spec, &other.spec);
        one.kind == two.kind
            && one.queue == two.queue
            && one.tenant == two.tenant
            && one.project == two.project
            && one.priority == two.priority
            && one.max_attempts == two.max_attempts
            && one.limits == two.limits
            && one.authority == two.authority
            && self.run.state == other.run.state
            && self.run.event_seq == other.run.event_seq
            && self.run.limits == other.run.limits
            && self.event == other.event
    }
}

/// New jobs as one statement takes them.
#[derive(Debug)]
pub(crate) struct NewJobs {
    rows: Vec<NewJobRow>,
    /// Where the payload of each begins in those of its stretch, from 1, and how many bytes it has.
    payloads: Vec<(i32, i32)>,
    stretches: Vec<Stretch>,
}

/// Jobs that follow one another and are alike.
#[derive(Debug)]
struct Stretch {
    /// Which they are.
    rows: Range<usize>,
    identities: Vec<u8>,
    payloads: Vec<u8>,
}

impl NewJobs {
    pub(crate) fn of(rows: Vec<NewJobRow>) -> Result<Self, Error> {
        let mut payloads = Vec::with_capacity(rows.len());
        let mut stretches: Vec<Stretch> = Vec::new();
        for (place, row) in rows.iter().enumerate() {
            let open = stretches.last_mut().filter(|open| rows[open.rows.start].is_like(row));
            let stretch = match open {
                Some(open) => open,
                None => stretches.push_mut(Stretch::at(place)),
            };
            payloads.push((int(stretch.payloads.len() + 1)?, int(row.spec.payload.len())?));
            stretch.add(row);
        }
        int(rows.len())?;
        Ok(Self { rows, payloads, stretches })
    }
}

impl Stretch {
    const fn at(place: usize) -> Self {
        Self { rows: place..place, identities: Vec::new(), payloads: Vec::new() }
    }

    fn add(&mut self, row: &NewJobRow) {
        self.rows.end += 1;
        self.identities.extend_from_slice(row.spec.identity.as_bytes());
        self.payloads.extend_from_slice(&row.spec.payload);
    }
}

fn int(number: usize) -> Result<i32, Error> {
    let says = "one submission has more than two gigabytes: submit less at once";
    i32::try_from(number).map_err(|_| Error::Invalid(says.to_owned()))
}

/// Adds the columns of new jobs.
pub(crate) fn bind_new_jobs<'q>(query: Query<'q>, jobs: &'q NewJobs) -> Query<'q> {
    let query = each(query, &jobs.rows, |row| row.spec.id.as_uuid());
    let query = each(query, &jobs.rows, |row| row.incarnation);
    let query = each(query, &jobs.payloads, |(from, _)| *from);
    let query = each(query, &jobs.payloads, |(_, bytes)| *bytes);
    bind_stretches(query, jobs)
}

fn bind_stretches<'q>(query: Query<'q>, jobs: &'q NewJobs) -> Query<'q> {
    let stretches = &jobs.stretches;
    let first = |stretch: &Stretch| &jobs.rows[stretch.rows.start];
    // Counted from 1, and the last one is meant. All of them fit, because their number does.
    let query = each(query, stretches, |one| i32::try_from(one.rows.start + 1).unwrap_or(i32::MAX));
    let query = each(query, stretches, |one| i32::try_from(one.rows.end).unwrap_or(i32::MAX));
    let query = each(query, stretches, |one| one.identities.as_slice());
    let query = each(query, stretches, |one| one.payloads.as_slice());
    let query = each(query, stretches, |one| first(one).spec.tenant.as_str());
    let query = each(query, stretches, |one| first(one).spec.project.as_str());
    let query = each(query, stretches, |one| first(one).spec.kind.as_str());
    let query = each(query, stretches, |one| first(one).spec.queue.as_str());
    let query = each(query, stretches, |one| i64::from(first(one).spec.priority.get()));
    let query = each(query, stretches, |one| i64::from(first(one).spec.max_attempts));
    let query = each(query, stretches, |one| {
        first(one).spec.authority.as_ref().map(|one| Json(AuthorityDocument::from(one)))
    });
    let query = each(query, stretches, |one| Json(LimitsDocument::from(first(one).spec.limits)));
    let query = each(query, stretches, |one| first(one).run.state.as_str());
    let query = bind_limits(query, stretches, |one| first(one).run.limits);
    let query = each(query, stretches, |one| first(one).event.seq.get());
    let query = each(query, stretches, |one| first(one).event.generation.get());
    let query = each(query, stretches, |one| first(one).event.name.as_str());
    let query = each(query, stretches, |one| first(one).event.from.map(State::as_str));
    let query = each(query, stretches, |one| first(one).event.to.map(State::as_str));
    each(query, stretches, |one| Json(&first(one).event.detail))
}
