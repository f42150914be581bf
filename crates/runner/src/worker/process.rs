//! What the workers of one process share.

use koinon_admission::Bulkhead;
use koinon_domain::WorkerId;
use tokio::runtime::Handle;

/// What the workers of one process share: their id, the permits, and the threads that workloads run on.
#[derive(Debug, Clone)]
pub struct Process {
    pub(super) id: WorkerId,
    pub(super) bulkhead: Bulkhead,
    pub(super) threads: Option<Handle>,
}

impl Process {
    /// A process whose workloads run beside its workers. `id` is new for each start of a process.
    #[must_use]
    pub const fn new(id: WorkerId, bulkhead: Bulkhead) -> Self {
        Self { id, bulkhead, threads: None }
    }

    /// The same, with workloads on a runtime of their own: there, one that keeps a thread busy keeps no
    /// heartbeat, no deadline and no signal waiting.
    #[must_use]
    pub fn threads(mut self, runtime: Handle) -> Self {
        self.threads = Some(runtime);
        self
    }

    /// Its id.
    #[must_use]
    pub const fn id(&self) -> WorkerId {
        self.id
    }

    /// Its permits.
    #[must_use]
    pub const fn bulkhead(&self) -> &Bulkhead {
        &self.bulkhead
    }
}
