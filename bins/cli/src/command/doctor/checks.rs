//! What the doctor looks at.

use std::time::Duration;

use koinon::artifacts::Artifacts;
use koinon::domain::Timestamp;
use koinon::settings::Settings;
use koinon::store::{Clock as _, SystemClock};
use koinon::{Datasource, Koinon};

use super::Check;
use crate::fault::Fault;
use crate::{instant, schema};

/// No clock that is right shows an earlier instant: 2026-01-01.
const EARLIEST: Timestamp = Timestamp::from_micros(1_767_225_600_000_000);
const CENTURY: Duration = Duration::from_secs(100 * 365 * 24 * 3_600);
const PROBE: &[u8] = b"koinon doctor was here\n";

/// Looks at everything; one thing that is wrong does not hide another.
pub(super) async fn all(settings: &Settings) -> Vec<Check> {
    let mut checks = vec![check("database", database(settings).await)];
    let mut seen = vec![Datasource::Primary.url(settings)];
    for datasource in Datasource::ALL {
        let url = datasource.url(settings);
        if !seen.contains(&url) {
            let mut settings = settings.clone();
            url.clone_into(&mut settings.database.url);
            checks.push(check(&format!("database {datasource}"), database(&settings).await));
            seen.push(url);
        }
    }
    checks.extend([
        check("artifacts", artifacts(settings).await),
        check("clock", clock()),
        check("provider offline", Ok("built in".to_owned())),
    ]);
    for name in settings.providers.keys() {
        checks.push(check(&format!("provider {name}"), provider(settings, name).await));
    }
    checks
}

fn check(name: &str, found: Result<String, String>) -> Check {
    let ok = found.is_ok();
    let (Ok(detail) | Err(detail)) = found;
    Check { name: name.to_owned(), ok, detail }
}

async fn database(settings: &Settings) -> Result<String, String> {
    let version = schema::version(settings).await.map_err(|fault| told(&fault))?;
    Ok(format!("reachable, schema version {version}"))
}

/// Writes a few bytes and reads them; the next sweep of orphans removes them.
async fn artifacts(settings: &Settings) -> Result<String, String> {
    let probe = async {
        let artifacts = Artifacts::open(settings.artifacts.url.trim())?;
        let digest = artifacts.put(PROBE.into()).await?;
        artifacts.get(&digest).await
    };
    probe.await.map_err(|error| koinon::told(&error))?;
    Ok("can be written and read".to_owned())
}

fn clock() -> Result<String, String> {
    let clock = SystemClock::new();
    let (before, now) = (clock.monotonic(), clock.now());
    let shown = instant::exact(now);
    if now < EARLIEST || now > EARLIEST.after(CENTURY) {
        return Err(format!("it shows {shown}, which cannot be right"));
    }
    if clock.monotonic() < before {
        return Err("it runs backwards".to_owned());
    }
    Ok(format!("it shows {shown}"))
}

/// Sets up just this provider, beside an empty database that is removed again; no request is sent.
async fn provider(settings: &Settings, name: &str) -> Result<String, String> {
    let scratch = tempfile::tempdir().map_err(|error| koinon::told(&error))?;
    let mut settings = settings.clone();
    settings.providers.retain(|other, _| other == name);
    settings.database.url = format!("sqlite://{}", scratch.path().join("koinon.db").display());
    "memory://".clone_into(&mut settings.artifacts.url);
    let told = |error: koinon::Error| told(&error.into());
    let koinon = Koinon::builder(settings).open().await.map_err(told)?;
    let checked = koinon.check_provider(name).map_err(told);
    koinon.close().await;
    checked.map(|()| "configured".to_owned())
}

fn told(fault: &Fault) -> String {
    format!("{}: {}", fault.code, fault.summary)
}
