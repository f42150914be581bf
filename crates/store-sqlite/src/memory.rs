//! What the writer remembers of the runs that it wrote.

use std::collections::HashMap;
use std::sync::Arc;

use koinon_domain::JobId;
use koinon_store::Run;

/// The rows of held jobs as this writer left them. As long as nobody else has written to the file, they
/// are what stands in it, so they need not be read again.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    runs: HashMap<JobId, Arc<Run>>,
    /// What `data_version` said when they were written; SQLite changes it with every write of others.
    version: Option<i64>,
}

impl Memory {
    /// A transaction begins and finds this version. What others may have changed is forgotten.
    pub(crate) fn begin(&mut self, version: i64) {
        if self.version.replace(version) != Some(version) {
            self.runs.clear();
        }
    }

    /// Forgets everything: the rows were changed without this being told, or a transaction was taken back.
    pub(crate) fn clear(&mut self) {
        self.runs.clear();
    }

    /// How a job stands, if that is known.
    pub(crate) fn run(&self, job: JobId) -> Option<Arc<Run>> {
        self.runs.get(&job).map(Arc::clone)
    }

    /// Keeps a row as it is written. Only jobs that are held are written again and again.
    pub(crate) fn keep(&mut self, run: &Arc<Run>) {
        if run.state.is_held() {
            self.runs.insert(run.job, Arc::clone(run));
        } else {
            self.runs.remove(&run.job);
        }
    }
}
