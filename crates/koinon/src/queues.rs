//! The queues: in which database each waits, and how many of its jobs one process runs at once. They are
//! declared here and nowhere else.

use std::fmt;
use std::num::NonZeroUsize;

use koinon_domain::QueueName;
use koinon_runner::Lane;
use koinon_store::RunningLimits;

use crate::settings::Settings;

/// A named database that holds queues. All are one unless the settings give one an address of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Datasource {
    /// Where everything is that has no other place.
    Primary,
    /// Where documents are taken in.
    DocumentControl,
    /// Where structured data is taken in.
    StructuredControl,
}

impl Datasource {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Primary, Self::DocumentControl, Self::StructuredControl];

    /// One datasource of each database of the settings, the primary one first.
    pub(crate) fn of_each_database(settings: &Settings) -> Vec<Self> {
        let mut all: Vec<Self> = Vec::new();
        for datasource in Self::ALL {
            if !all.iter().any(|other| other.url(settings) == datasource.url(settings)) {
                all.push(datasource);
            }
        }
        all
    }

    /// Its name, as it stands in settings, logs and metrics.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Primary => "primary",
            Self::DocumentControl => "document_control",
            Self::StructuredControl => "structured_control",
        }
    }

    /// The address of the database that it is in.
    #[must_use]
    pub fn url(self, settings: &Settings) -> &str {
        let own = match self {
            Self::Primary => None,
            Self::DocumentControl => settings.datasources.document_control.url.as_deref(),
            Self::StructuredControl => settings.datasources.structured_control.url.as_deref(),
        };
        own.unwrap_or(&settings.database.url).trim()
    }
}

impl fmt::Display for Datasource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A queue, as settings have it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Queue {
    /// Its name.
    pub name: QueueName,
    /// In which database its jobs wait.
    pub datasource: Datasource,
    /// How many of its jobs one process runs at once: the smaller of its own capacity and that of the
    /// process.
    pub per_replica_capacity: u32,
    /// Whether workers take from it. Bulk work waits until somebody lets it in.
    pub is_consumed: bool,
    /// How many of its jobs run at once in all processes together, where there is a limit.
    pub limits: RunningLimits,
}

/// A queue that is built in.
struct Declared {
    name: &'static str,
    datasource: Datasource,
    /// Its own capacity in one process; `None` where only that of the process counts.
    capacity: fn(&Settings) -> Option<u32>,
    is_consumed: fn(&Settings) -> bool,
}

const fn declared(
    name: &'static str,
    datasource: Datasource,
    capacity: fn(&Settings) -> Option<u32>,
) -> Declared {
    Declared { name, datasource, capacity, is_consumed: |_| true }
}

const fn bulk(
    name: &'static str,
    datasource: Datasource,
    is_consumed: fn(&Settings) -> bool,
) -> Declared {
    Declared { name, datasource, capacity: |_| Some(1), is_consumed }
}

/// Every queue that is built in.
const BUILT_IN: [Declared; 11] = [
    declared("conversation", Datasource::Primary, |s| Some(s.operations.worker_concurrency)),
    declared("index", Datasource::Primary, |_| Some(1)),
    declared("attachment", Datasource::Primary, |_| Some(1)),
    declared("profile", Datasource::Primary, |_| Some(2)),
    declared("document", Datasource::DocumentControl, |_| Some(1)),
    declared("structured", Datasource::StructuredControl, |_| Some(1)),
    declared("callback", Datasource::Primary, |_| Some(1)),
    declared("communications", Datasource::Primary, |_| Some(1)),
    bulk("bulk_intake", Datasource::DocumentControl, |s| s.knowledge.bulk_worker_enabled),
    bulk("bulk_query", Datasource::Primary, |s| s.knowledge.bulk_query_worker_enabled),
    declared("dataset", Datasource::Primary, |_| None),
];

/// What a queue is that a workload brings along: in the primary database, and limited by the process alone.
const OWN: Declared = declared("", Datasource::Primary, |_| None);

impl Queue {
    /// The queue of this name.
    #[must_use]
    pub fn of(name: QueueName, settings: &Settings) -> Self {
        let found = BUILT_IN.iter().find(|queue| queue.name == name.as_str());
        let declared = found.unwrap_or(&OWN);
        let process = settings.operations.admission.worker_capacity;
        let limits = settings.queues.get(name.as_str()).cloned().unwrap_or_default();
        Self {
            datasource: declared.datasource,
            per_replica_capacity: (declared.capacity)(settings)
                .map_or(process, |own| own.min(process)),
            is_consumed: (declared.is_consumed)(settings),
            limits: RunningLimits {
                running: limits.running,
                per_tenant: limits.running_per_tenant,
            },
            name,
        }
    }

    /// Every queue that is built in, whether a workload of this program works on it or not.
    #[must_use]
    pub fn built_in(settings: &Settings) -> Vec<Self> {
        let names = BUILT_IN.iter().filter_map(|queue| QueueName::try_new(queue.name).ok());
        names.map(|name| Self::of(name, settings)).collect()
    }

    /// Its lane in a worker.
    pub(crate) fn lane(&self) -> Lane {
        let capacity = usize::try_from(self.per_replica_capacity).ok().and_then(NonZeroUsize::new);
        Lane::new(self.name.clone(), capacity.unwrap_or(NonZeroUsize::MIN))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn capacities(settings: &Settings) -> Vec<(String, u32)> {
        let queues = Queue::built_in(settings).into_iter();
        queues.map(|queue| (queue.name.to_string(), queue.per_replica_capacity)).collect()
    }

    #[test]
    fn the_capacity_of_a_queue_is_the_smaller_of_its_own_and_that_of_the_process() {
        let mut settings = Settings::default();
        assert!(capacities(&settings).iter().all(|(_, capacity)| *capacity == 1));
        settings.operations.admission.worker_capacity = 8;
        let expected = [
            ("conversation", 4),
            ("index", 1),
            ("attachment", 1),
            ("profile", 2),
            ("document", 1),
            ("structured", 1),
            ("callback", 1),
            ("communications", 1),
            ("bulk_intake", 1),
            ("bulk_query", 1),
            ("dataset", 8),
        ];
        assert_eq!(capacities(&settings), expected.map(|(name, most)| (name.to_owned(), most)));
    }

    #[test]
    fn bulk_work_waits_until_somebody_lets_it_in() {
        let mut settings = Settings::default();
        let waiting = |settings: &Settings| -> Vec<String> {
            let queues = Queue::built_in(settings).into_iter().filter(|queue| !queue.is_consumed);
            queues.map(|queue| queue.name.to_string()).collect()
        };
        assert_eq!(waiting(&settings), ["bulk_intake", "bulk_query"]);
        settings.knowledge.bulk_worker_enabled = true;
        assert_eq!(waiting(&settings), ["bulk_query"]);
        settings.knowledge.bulk_query_worker_enabled = true;
        assert!(waiting(&settings).is_empty());
    }

    #[test]
    fn a_datasource_is_the_primary_one_until_it_has_an_address() {
        let mut settings = Settings::default();
        for datasource in Datasource::ALL {
            assert_eq!(datasource.url(&settings), settings.database.url);
        }
        settings.datasources.document_control.url = Some("sqlite://documents.db".to_owned());
        assert_eq!(Datasource::DocumentControl.url(&settings), "sqlite://documents.db");
        assert_eq!(Datasource::StructuredControl.url(&settings), settings.database.url);
    }
}
