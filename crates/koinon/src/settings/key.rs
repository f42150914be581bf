//! The table of all keys: what each may be, and which field it stands for.

use std::ops::RangeInclusive;
use std::time::Duration;

use super::Settings;
use super::field::Field;

/// A key, such as `operations.lease_for`. A `*` in it stands for a name that people choose.
pub(super) struct Key {
    pattern: &'static str,
    field: for<'s> fn(&'s mut Settings, &str) -> Field<'s>,
}

const HOUR: Duration = Duration::from_hours(1);
const CAPACITY: RangeInclusive<u32> = 1..=1024;
const RUNNING: RangeInclusive<u32> = 1..=1_000_000;

const KEPT: RangeInclusive<Duration> = from_secs(1, Duration::from_hours(87_600));

/// Why blobs that no row names are kept for a while.
const ORPHANS: &str =
    "a blob is stored before the row that names it, and a sweep must not come in between";

/// What the settings say about a queue.
fn queue<'s>(settings: &'s mut Settings, name: &str) -> &'s mut super::Queue {
    settings.queues.entry(name.to_owned()).or_default()
}

const fn from_secs(least: u64, most: Duration) -> RangeInclusive<Duration> {
    Duration::from_secs(least)..=most
}

const fn key(pattern: &'static str, field: for<'s> fn(&'s mut Settings, &str) -> Field<'s>) -> Key {
    Key { pattern, field }
}

/// All keys, in the order in which they are shown.
pub(super) const KEYS: &[Key] = &[
    key("database.url", |s, _| Field::Text(&mut s.database.url)),
    key("database.max_connections", |s, _| Field::Count(&mut s.database.max_connections, 1..=256)),
    key("database.notifications", |s, _| Field::Switch(&mut s.database.notifications)),
    key("datasources.document_control.url", |s, _| {
        Field::Address(&mut s.datasources.document_control.url)
    }),
    key("datasources.structured_control.url", |s, _| {
        Field::Address(&mut s.datasources.structured_control.url)
    }),
    key("artifacts.url", |s, _| Field::Text(&mut s.artifacts.url)),
    key("knowledge.bulk_worker_enabled", |s, _| {
        Field::Switch(&mut s.knowledge.bulk_worker_enabled)
    }),
    key("knowledge.bulk_query_worker_enabled", |s, _| {
        Field::Switch(&mut s.knowledge.bulk_query_worker_enabled)
    }),
    key("operations.lease_for", |s, _| {
        Field::Time(&mut s.operations.lease_for, from_secs(1, HOUR))
    }),
    key("operations.drain_for", |s, _| {
        Field::Time(&mut s.operations.drain_for, from_secs(0, HOUR))
    }),
    key("operations.flush_for", |s, _| {
        Field::Time(&mut s.operations.flush_for, from_secs(0, HOUR))
    }),
    key("operations.call_for", |s, _| {
        Field::Time(&mut s.operations.call_for, from_secs(1, Duration::from_hours(24)))
    }),
    key("operations.stage_for", |s, _| {
        Field::Deadline(&mut s.operations.stage_for, from_secs(1, Duration::from_hours(168)))
    }),
    key("operations.max_attempts", |s, _| Field::Count(&mut s.operations.max_attempts, 1..=100)),
    key("operations.worker_concurrency", |s, _| {
        Field::Count(&mut s.operations.worker_concurrency, 1..=16)
    }),
    key("operations.on_in_doubt", |s, _| Field::InDoubt(&mut s.operations.on_in_doubt)),
    key("operations.admission.worker_capacity", |s, _| {
        Field::Count(&mut s.operations.admission.worker_capacity, CAPACITY)
    }),
    key("operations.admission.api_capacity", |s, _| {
        Field::Count(&mut s.operations.admission.api_capacity, CAPACITY)
    }),
    key("operations.admission.callback_capacity", |s, _| {
        Field::Count(&mut s.operations.admission.callback_capacity, CAPACITY)
    }),
    key("operations.admission.max_waiters", |s, _| {
        Field::Count(&mut s.operations.admission.max_waiters, 0..=65_535)
    }),
    key("operations.admission.wait_timeout", |s, _| {
        Field::Time(&mut s.operations.admission.wait_timeout, from_secs(0, HOUR))
    }),
    key("queues.*.running", |s, name| {
        Field::Limit(&mut s.queues.entry(name.to_owned()).or_default().running, RUNNING)
    }),
    key("queues.*.running_per_tenant", |s, name| {
        Field::Limit(&mut s.queues.entry(name.to_owned()).or_default().running_per_tenant, RUNNING)
    }),
    key("worker.listen", |s, _| Field::Listen(&mut s.worker.listen)),
    key("queues.*.retention.succeeded_for", |s, name| {
        Field::Deadline(&mut queue(s, name).retention.succeeded_for, KEPT)
    }),
    key("queues.*.retention.failed_for", |s, name| {
        Field::Deadline(&mut queue(s, name).retention.failed_for, KEPT)
    }),
    key("queues.*.retention.cancelled_for", |s, name| {
        Field::Deadline(&mut queue(s, name).retention.cancelled_for, KEPT)
    }),
    key("retention.default.succeeded_for", |s, _| {
        Field::Deadline(&mut s.retention.default.succeeded_for, KEPT)
    }),
    key("retention.default.failed_for", |s, _| {
        Field::Deadline(&mut s.retention.default.failed_for, KEPT)
    }),
    key("retention.default.cancelled_for", |s, _| {
        Field::Deadline(&mut s.retention.default.cancelled_for, KEPT)
    }),
    key("retention.orphans_for", |s, _| {
        Field::Grace(&mut s.retention.orphans_for, HOUR..=*KEPT.end(), ORPHANS)
    }),
    key("retention.every", |s, _| {
        Field::Time(&mut s.retention.every, from_secs(1, Duration::from_hours(168)))
    }),
    key("store.busy_for", |s, _| {
        Field::Time(&mut s.store.busy_for, Duration::from_millis(100)..=HOUR)
    }),
    key("store.postgres.pooler", |s, _| Field::Switch(&mut s.store.postgres.pooler)),
    key("store.postgres.listen_url", |s, _| Field::Address(&mut s.store.postgres.listen_url)),
    key("providers.*.kind", |s, name| {
        Field::Kind(&mut s.providers.entry(name.to_owned()).or_default().kind)
    }),
    key("providers.*.base_url", |s, name| {
        Field::Address(&mut s.providers.entry(name.to_owned()).or_default().base_url)
    }),
    key("providers.*.api_key_env", |s, name| {
        Field::Variable(&mut s.providers.entry(name.to_owned()).or_default().api_key_env)
    }),
];

/// The key that a path names, and the name that people chose in it, if it has one.
pub(super) fn find(path: &[String]) -> Option<(&'static Key, &str)> {
    KEYS.iter().find_map(|key| {
        let segments: Vec<_> = key.pattern.split('.').collect();
        let fits = segments.len() == path.len()
            && segments
                .iter()
                .zip(path)
                .all(|(segment, part)| matches!(*segment, "*") || segment == part);
        let at = segments.iter().position(|segment| *segment == "*");
        fits.then(|| (key, at.and_then(|at| path.get(at)).map_or("", String::as_str)))
    })
}

/// Whether keys lie below this path, so that it may be an empty table.
pub(super) fn is_section(path: &[String]) -> bool {
    KEYS.iter().any(|key| {
        let mut segments = key.pattern.split('.');
        let above = path.iter().all(|part| segments.next().is_some_and(|s| s == "*" || s == part));
        above && segments.next().is_some()
    })
}

impl Key {
    /// The field that it stands for.
    pub(super) fn field<'s>(&self, settings: &'s mut Settings, name: &str) -> Field<'s> {
        (self.field)(settings, name)
    }

    /// The names for which the settings have it; one empty name if it takes none.
    pub(super) fn names(&self, settings: &Settings) -> Vec<String> {
        match self.pattern.split_once(".*.") {
            None => vec![String::new()],
            Some(("queues", _)) => settings.queues.keys().cloned().collect(),
            Some(_) => settings.providers.keys().cloned().collect(),
        }
    }

    /// The key with this name in it.
    pub(super) fn with_name(&self, name: &str) -> String {
        self.pattern.replace('*', name)
    }

    /// The key with the name that another key has at the same place; `<name>` if it has none.
    pub(super) fn with_name_of(&self, path: &[String]) -> String {
        let at = self.pattern.split('.').position(|segment| segment == "*");
        let name = at.and_then(|at| path.get(at)).map_or("<name>", String::as_str);
        self.with_name(name)
    }
}
