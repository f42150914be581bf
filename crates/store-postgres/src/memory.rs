//! What this process wrote last about the jobs that it holds.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use koinon_domain::{JobId, Timestamp};
use koinon_store::{Commit, Hold, Run};

use crate::row::RowVersion;
use crate::time::GUESS_WITHIN;

/// So many jobs at the most: far more than a process holds. Those that it lost are among them.
const JOBS_MAX: usize = 4096;

/// Rows as this process wrote them, with their versions.
///
/// They need not be read again to be decided on: what is decided is saved only if the row is still that version.
/// So nothing here has to be true, and what is not costs a second look.
#[derive(Debug)]
pub(crate) struct Memory {
    jobs: Mutex<HashMap<JobId, Known>>,
    /// Whether a connection ends with the server that it leads to.
    is_direct: bool,
}

/// A run as it was written.
#[derive(Debug, Clone)]
pub(crate) struct Known {
    pub(crate) run: Run,
    pub(crate) version: RowVersion,
    /// Holds that are open. There may be more: `run` says how many.
    pub(crate) holds: Vec<Hold>,
}

impl Memory {
    /// What a process remembers of a server that it reaches directly; of one behind a pooler nothing.
    pub(crate) fn new(is_direct: bool) -> Self {
        Self { jobs: Mutex::default(), is_direct }
    }

    /// Takes out what is known of a job that is about to change.
    pub(crate) fn take(&self, job: JobId) -> Option<Known> {
        self.jobs().remove(&job)
    }

    /// Keeps what was written and is durable, as far as the jobs are held.
    pub(crate) fn keep(&self, written: impl IntoIterator<Item = Known>) {
        if !self.is_direct {
            return;
        }
        let mut jobs = self.jobs();
        for known in written.into_iter().filter(|known| known.run.state.is_held()) {
            if jobs.len() >= JOBS_MAX {
                jobs.clear();
            }
            jobs.insert(known.run.job, known);
        }
    }

    /// Forgets jobs whose rows have changed since.
    pub(crate) fn forget<'j>(&self, changed: impl IntoIterator<Item = &'j JobId>) {
        let mut jobs = self.jobs();
        for job in changed {
            jobs.remove(job);
        }
    }

    /// Forgets everything: a new connection may lead to another server, which may have lost the latest transactions
    /// and given their numbers to others.
    pub(crate) fn clear(&self) {
        self.jobs().clear();
    }

    /// Everything that is known.
    #[cfg(test)]
    pub(crate) fn all(&self) -> Vec<Known> {
        self.jobs().values().cloned().collect()
    }

    fn jobs(&self) -> MutexGuard<'_, HashMap<JobId, Known>> {
        self.jobs.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Known {
    /// Whether a commit at about this time can be decided on it. A lease that may be over is left to whoever reads the
    /// time with the row.
    ///
    /// Whether a call was answered before is not known: of two answers that serve replay, the index of the ledger
    /// refuses the second, and then the commit is decided under lock.
    pub(crate) fn is_enough(&self, commit: &Commit, guess: Timestamp) -> bool {
        let lives = self.run.lease.is_some_and(|it| it.expires_at > guess.after(GUESS_WITHIN));
        let has_ended =
            commit.hold_ends.iter().all(|end| self.holds.iter().any(|hold| hold.id == end.id));
        let has_all = usize::try_from(self.run.open_holds) == Ok(self.holds.len());
        lives && has_ended && (has_all || !commit.ends_claim())
    }
}
