//! `koinon doctor`: checks the configuration and everything that it names.

mod checks;

use koinon::settings::Origin;
use serde::Serialize;

use super::Context;
use crate::exit::Exit;
use crate::fault::Fault;
use crate::open::Open;
use crate::view;

#[derive(Serialize)]
struct DoctorView {
    settings: Vec<SettingView>,
    checks: Vec<Check>,
    healthy: bool,
}

#[derive(Serialize)]
struct SettingView {
    key: String,
    value: String,
    source: String,
}

/// One thing that was looked at.
#[derive(Debug, Serialize)]
struct Check {
    name: String,
    ok: bool,
    detail: String,
}

pub(crate) async fn doctor(context: &Context) -> Result<Exit, Fault> {
    let loaded = Open::new(context).load()?;
    let checks = checks::all(&loaded.settings).await;
    let healthy = checks.iter().all(|check| check.ok);
    let settings = loaded.origins.into_iter().map(SettingView::of).collect();
    context.console.show(&DoctorView { settings, checks, healthy }, text)?;
    Ok(if healthy { Exit::Succeeded } else { Exit::Failed })
}

impl SettingView {
    fn of(origin: Origin) -> Self {
        let Origin { key, value, source } = origin;
        Self { key, value, source }
    }
}

fn text(doctor: &DoctorView) -> String {
    let settings = doctor.settings.iter().map(|setting| {
        let SettingView { key, value, source } = setting;
        [key.clone(), value.clone(), source.clone()]
    });
    let checks = doctor.checks.iter().map(|check| {
        let verdict = if check.ok { "ok" } else { "failed" };
        [check.name.clone(), verdict.to_owned(), check.detail.clone()]
    });
    let settings = view::table(["setting", "value", "from"], settings);
    let checks = view::table(["check", "verdict", "detail"], checks);
    format!("{settings}\n{checks}")
}
