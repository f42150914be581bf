//! What holds for settings, whoever made them.

use koinon_domain::QueueName;
use koinon_provider::OFFLINE_NAME;

use super::key::KEYS;
use super::secret::{MASK, mask};
use super::{Error, Settings};

/// How settings that no source set are called.
const PROGRAM: &str = "set by the program";

/// So many jobs at once keep so many connections busy; those of more jobs share them.
const SHARED_FROM: u32 = 16;

const QUEUE_NAMES: &str = "a name of 1 to 64 bytes without control characters";
const PROVIDER_NAMES: &str =
    "a name of 1 to 64 lower-case letters, digits, - and _, but not offline, which is built in";

impl Settings {
    /// Checks the ranges of all values, for settings that a program made itself;
    /// [`load`](Self::load) does it by itself.
    ///
    /// # Errors
    ///
    /// [`Error::OutOfRange`] for the first value that is outside of its range.
    pub fn check(&self) -> Result<(), Error> {
        check(self, |_| PROGRAM.to_owned())
    }

    /// Checks what a program that does nothing but run jobs needs beyond that.
    ///
    /// # Errors
    ///
    /// [`Error::PoolTooSmall`] if there are fewer connections than jobs at once. More than 16 are never
    /// needed, because the commits of many jobs share transactions.
    pub fn check_worker(&self) -> Result<(), Error> {
        let connections = self.database.max_connections;
        let capacity = self.operations.admission.worker_capacity;
        let needed = capacity.min(SHARED_FROM);
        if connections < needed {
            return Err(Error::PoolTooSmall { connections, capacity, needed });
        }
        Ok(())
    }
}

/// Checks the ranges of all values; `set_by` says where a key was set.
pub(super) fn check(settings: &Settings, set_by: impl Fn(&str) -> String) -> Result<(), Error> {
    if let Some(name) = settings.queues.keys().find(|name| !is_queue_name(name)) {
        return Err(misnamed("queues", name, QUEUE_NAMES, set_by));
    }
    if let Some(name) = settings.providers.keys().find(|name| !is_provider_name(name)) {
        return Err(misnamed("providers", name, PROVIDER_NAMES, set_by));
    }
    check_listening(settings, &set_by)?;
    let mut settings = settings.clone();
    for key in KEYS {
        for name in key.names(&settings) {
            let field = key.field(&mut settings, &name);
            if !field.holds() {
                let key = key.with_name(&name);
                let value = if field.may_hold_secret() { MASK.to_owned() } else { field.show() };
                let (set_by, allowed) = (set_by(&key), field.allowed());
                return Err(Error::OutOfRange { key, value, set_by, allowed });
            }
        }
    }
    check_datasources(&settings, &set_by)
}

/// The address of the primary database is refused by whoever opens it. The others may be opened late or never, and
/// then their queues would be missing without a word.
fn check_datasources(settings: &Settings, set_by: impl Fn(&str) -> String) -> Result<(), Error> {
    let of = &settings.datasources;
    for (key, url) in [
        ("datasources.document_control.url", of.document_control.url.as_deref()),
        ("datasources.structured_control.url", of.structured_control.url.as_deref()),
    ] {
        let Some(url) = url else { continue };
        let known = ["postgres:", "postgresql:", "sqlite:"];
        if !known.iter().any(|scheme| url.trim().starts_with(scheme)) {
            return Err(Error::OutOfRange {
                key: key.to_owned(),
                value: mask(url),
                set_by: set_by(key),
                allowed: "postgres://user@host:port/name, sqlite://relative/path or \
                          sqlite:///absolute/path"
                    .to_owned(),
            });
        }
    }
    Ok(())
}

/// A place to listen at that nobody would listen at is a mistake about something else.
fn check_listening(settings: &Settings, set_by: impl Fn(&str) -> String) -> Result<(), Error> {
    let Some(url) = settings.store.postgres.listen_url.as_deref() else { return Ok(()) };
    let is_postgres = |url: &str| {
        let url = url.trim();
        url.starts_with("postgres://") || url.starts_with("postgresql://")
    };
    let allowed = if !settings.database.notifications {
        "left out while database.notifications is false"
    } else if !is_postgres(&settings.database.url) {
        "left out while database.url is not a Postgres database"
    } else if !is_postgres(url) {
        "an address of the same Postgres database, such as postgres://user@host:5432/koinon"
    } else {
        return Ok(());
    };
    let key = "store.postgres.listen_url";
    Err(Error::OutOfRange {
        key: key.to_owned(),
        value: mask(url),
        set_by: set_by(key),
        allowed: allowed.to_owned(),
    })
}

fn misnamed(section: &str, name: &str, allowed: &str, set_by: impl Fn(&str) -> String) -> Error {
    Error::OutOfRange {
        key: format!("{section}.<name>"),
        value: format!("{name:?}"),
        set_by: set_by(&format!("{section}.{name}")),
        allowed: allowed.to_owned(),
    }
}

fn is_queue_name(name: &str) -> bool {
    QueueName::try_new(name).is_ok()
}

fn is_provider_name(name: &str) -> bool {
    let fits =
        |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-_".contains(&byte);
    (1..=64).contains(&name.len()) && name.bytes().all(fits) && name != OFFLINE_NAME
}
