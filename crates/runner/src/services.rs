//! What a worker works with.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use koinon_artifacts::Artifacts;
use koinon_budget::Profiles;
use koinon_domain::QueueName;
use koinon_provider::Providers;
use koinon_store::{
    Clock, JobStore, LeaseStore, LedgerStore, Retention, RetentionStore, RunningLimits,
    ScheduleStore, WorkerStore,
};

use crate::Workloads;

/// The ports and tables that a worker works with.
#[derive(Debug, Clone)]
pub struct Services {
    /// Jobs.
    pub jobs: Arc<dyn JobStore>,
    /// The lease protocol.
    pub leases: Arc<dyn LeaseStore>,
    /// The ledger.
    pub ledger: Arc<dyn LedgerStore>,
    /// Which workers there are.
    pub workers: Arc<dyn WorkerStore>,
    /// Schedules.
    pub schedules: Arc<dyn ScheduleStore>,
    /// What goes after a while.
    pub retention: Arc<dyn RetentionStore>,
    /// The other databases whose rows name blobs of the same artifact store.
    pub beside: Vec<Beside>,
    /// What is kept, and for how long.
    pub keep: Arc<Retention>,
    /// Artifacts.
    pub artifacts: Artifacts,
    /// Model providers.
    pub providers: Providers,
    /// Prices.
    pub profiles: Profiles,
    /// Workloads.
    pub workloads: Workloads,
    /// How many jobs of a queue may run at once in all processes together, where there is a limit.
    pub running_limits: Arc<BTreeMap<QueueName, RunningLimits>>,
    /// Time and randomness.
    pub clock: Arc<dyn Clock>,
}

/// A database beside the one that a worker works on.
#[derive(Debug, Clone)]
pub struct Beside {
    /// How it is called to people.
    pub name: String,
    /// What goes there after a while; asked when blobs are swept, which may be the first time that it is opened.
    pub retention: Arc<dyn RetentionStore>,
}

/// What happens when the outcome of a call is unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum OnInDoubt {
    /// Ask again: the first request may have been charged too.
    #[default]
    Retry,
    /// Pause the job until somebody has looked.
    Pause,
}

/// How a worker behaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Config {
    /// How long a lease lasts; 1 s or more.
    pub lease_for: Duration,
    /// How long a drain lets work go on before it interrupts it.
    pub drain_for: Duration,
    /// How long work that was told to stop may go on to finish what is under way.
    pub flush_for: Duration,
    /// The deadline of one provider call.
    pub call_for: Duration,
    /// The deadline of one stage, where there is one.
    pub stage_for: Option<Duration>,
    /// The time between two looks at the store.
    pub tick: Duration,
    /// What happens when the outcome of a call is unknown.
    pub on_in_doubt: OnInDoubt,
    /// The time between two sweeps of what is no longer kept, by whichever worker; 1 s or more.
    pub sweep_every: Duration,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            lease_for: Duration::from_mins(1),
            drain_for: Duration::from_secs(25),
            flush_for: Duration::from_secs(5),
            call_for: Duration::from_mins(10),
            stage_for: None,
            tick: Duration::from_secs(1),
            on_in_doubt: OnInDoubt::default(),
            sweep_every: Duration::from_hours(24),
        }
    }
}
