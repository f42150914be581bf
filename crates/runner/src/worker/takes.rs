//! Which claims are under way, so that none is taken for lost while its answer may still come.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use koinon_domain::{Generation, JobId};

type Claim = (JobId, Generation);

/// The claims of a worker that wait for their answers, and those that the store knows of and the worker does not.
#[derive(Debug, Default)]
pub(super) struct Takes(Mutex<Inner>);

#[derive(Debug, Default)]
struct Inner {
    begun: u64,
    under_way: BTreeSet<u64>,
    /// Claims that the last heartbeat did not know, and how many had begun when the first one did not.
    unknown: HashMap<Claim, u64>,
}

/// A claim that waits for its answer.
#[derive(Debug)]
pub(super) struct Take<'t> {
    takes: &'t Takes,
    number: u64,
}

impl Takes {
    /// To be kept until the answer is there.
    pub(super) fn begin(&self) -> Take<'_> {
        let mut inner = self.inner();
        inner.begun += 1;
        let number = inner.begun;
        inner.under_way.insert(number);
        Take { takes: self, number }
    }

    /// Of the claims that a heartbeat found and this worker does not know, those whose answers do not come any
    /// more. One whose answer is just being read is unknown for a moment too, so only one that was unknown at
    /// the last heartbeat already is lost; and only if every claim has ended that was under way then.
    pub(super) fn lost(&self, unknown: &HashSet<Claim>) -> Vec<Claim> {
        let mut inner = self.inner();
        let oldest = inner.under_way.first().copied().unwrap_or(u64::MAX);
        let before = std::mem::take(&mut inner.unknown);
        let begun = inner.begun;
        let since = |claim: &Claim| before.get(claim).copied();
        inner.unknown =
            unknown.iter().map(|claim| (*claim, since(claim).unwrap_or(begun))).collect();
        let is_lost = |claim: &Claim| since(claim).is_some_and(|begun| oldest > begun);
        unknown.iter().copied().filter(is_lost).collect()
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Take<'_> {
    fn drop(&mut self) {
        self.takes.inner().under_way.remove(&self.number);
    }
}
