//! `koinon schedule pause`, `resume` and `remove`.

use koinon::domain::ScheduleName;
use koinon::store::ScheduleControl;
use serde::Serialize;

use super::not_found;
use super::view::ScheduleView;
use crate::command::Context;
use crate::exit::Exit;
use crate::fault::Fault;
use crate::open::Open;

#[derive(Serialize)]
struct Removed {
    name: String,
    removed: bool,
}

pub(crate) async fn steer(
    context: &Context,
    name: &ScheduleName,
    request: ScheduleControl,
) -> Result<Exit, Fault> {
    let koinon = Open::new(context).open().await?;
    let steered = koinon.schedules().control_schedule(koinon.tenant(), name, request).await;
    koinon.close().await;
    let schedule = steered?.ok_or_else(|| not_found(name))?;
    context.console.show(&ScheduleView::of(&schedule), |view| view.lines().to_string())?;
    Ok(Exit::Succeeded)
}

pub(crate) async fn remove(context: &Context, name: &ScheduleName) -> Result<Exit, Fault> {
    let koinon = Open::new(context).open().await?;
    let removed = koinon.schedules().remove_schedule(koinon.tenant(), name).await;
    koinon.close().await;
    if !removed? {
        return Err(not_found(name));
    }
    let removed = Removed { name: name.to_string(), removed: true };
    context
        .console
        .show(&removed, |removed| format!("schedule {} is removed; its jobs stay", removed.name))?;
    Ok(Exit::Succeeded)
}
