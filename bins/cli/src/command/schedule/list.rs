//! `koinon schedule list`: schedules, by name.

use koinon::store::Schedule;
use koinon::{Koinon, told};
use serde::Serialize;

use super::view::ScheduleView;
use crate::command::Context;
use crate::exit::Exit;
use crate::fault::Fault;
use crate::instant;
use crate::open::Open;
use crate::view;

const PAGE: u32 = 200;

#[derive(Serialize)]
struct SchedulesView {
    schedules: Vec<ScheduleView>,
    #[serde(skip)]
    next: Vec<String>,
}

pub(crate) async fn list(context: &Context) -> Result<Exit, Fault> {
    let koinon = Open::new(context).open().await?;
    let mut found = Vec::new();
    for one in all(&koinon).await? {
        match one {
            Ok(schedule) => found.push(schedule),
            Err(error) => context.console.warning(told(&error)),
        }
    }
    koinon.close().await;
    let next = found.iter().map(|one| one.next_at.map_or_else(String::new, instant::short));
    let view = SchedulesView {
        next: next.collect(),
        schedules: found.iter().map(ScheduleView::of).collect(),
    };
    context.console.show(&view, text)?;
    Ok(Exit::Succeeded)
}

async fn all(koinon: &Koinon) -> Result<Vec<Result<Schedule, koinon::store::Error>>, Fault> {
    let (mut all, mut after) = (Vec::new(), None);
    loop {
        let page = koinon.schedules().schedules(koinon.tenant(), after.as_ref(), PAGE).await?;
        let count = page.len();
        after = page.iter().rev().find_map(|one| Some(one.as_ref().ok()?.name.clone()));
        all.extend(page);
        if count < usize::try_from(PAGE).unwrap_or(usize::MAX) || after.is_none() {
            return Ok(all);
        }
    }
}

fn text(list: &SchedulesView) -> String {
    if list.schedules.is_empty() {
        return "there are no schedules".to_owned();
    }
    let header = ["schedule", "kind", "state", "ticks", "missed", "next (UTC)", "last job"];
    let rows = list.schedules.iter().zip(&list.next).map(|(one, next)| {
        [
            one.name.clone(),
            one.kind.clone(),
            one.state.to_owned(),
            one.ticks(),
            one.missed.to_owned(),
            next.clone(),
            one.last_job_id.clone().unwrap_or_default(),
        ]
    });
    view::table(header, rows)
}
