//! `koinon job events`: the history of a job.

use std::collections::BTreeMap;

use koinon::Koinon;
use koinon::domain::{Event, EventSeq, JobId, State};
use serde::Serialize;

use crate::command::Context;
use crate::exit::Exit;
use crate::fault::Fault;
use crate::instant;
use crate::job_ref::JobRef;
use crate::open::Open;
use crate::view;

const PAGE: u32 = 500;

#[derive(Serialize)]
struct EventsView {
    job_id: String,
    events: Vec<EventView>,
}

#[derive(Serialize)]
struct EventView {
    seq: i64,
    at: String,
    name: String,
    from: Option<&'static str>,
    to: Option<&'static str>,
    generation: i64,
    detail: BTreeMap<String, String>,
}

pub(crate) async fn events(context: &Context, job: &JobRef) -> Result<Exit, Fault> {
    let koinon = Open::new(context).open().await?;
    let job = job.find(&koinon).await?.spec.id;
    let events = all(&koinon, job).await?.into_iter().map(EventView::of).collect();
    koinon.close().await;
    context.console.show(&EventsView { job_id: job.to_string(), events }, |view| {
        let header = ["seq", "at", "event", "from", "to", "gen", "detail"];
        view::table(header, view.events.iter().map(EventView::row))
    })?;
    Ok(Exit::Succeeded)
}

/// Every event of a job, oldest first.
pub(crate) async fn all(koinon: &Koinon, job: JobId) -> Result<Vec<Event>, Fault> {
    let mut events: Vec<Event> = Vec::new();
    loop {
        let after = events.last().map_or(EventSeq::ZERO, |event| event.seq);
        let page = koinon.jobs().events(koinon.tenant(), job, after, PAGE).await?;
        if page.is_empty() {
            return Ok(events);
        }
        events.extend(page);
    }
}

impl EventView {
    fn of(event: Event) -> Self {
        Self {
            seq: event.seq.get(),
            at: instant::exact(event.at),
            name: event.name.as_str().to_owned(),
            from: event.from.map(State::as_str),
            to: event.to.map(State::as_str),
            generation: event.generation.get(),
            detail: event.detail,
        }
    }

    fn row(&self) -> [String; 7] {
        let detail = self.detail.iter().map(|(name, value)| format!("{name}={value}"));
        [
            self.seq.to_string(),
            self.at.clone(),
            self.name.clone(),
            self.from.unwrap_or_default().to_owned(),
            self.to.unwrap_or_default().to_owned(),
            self.generation.to_string(),
            detail.collect::<Vec<_>>().join(" "),
        ]
    }
}
