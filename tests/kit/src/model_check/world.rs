//! One way in which everything may stand.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use koinon_domain::JobId;
use koinon_store::{ClaimRequest, Clock, RecoverRequest};

use super::request::Answer;
use crate::{ModelStore, Stores};

/// A model store of its own.
#[derive(Clone)]
pub(super) struct World {
    model: Arc<ModelStore>,
    pub(super) stores: Stores,
}

impl World {
    pub(super) fn new(clock: Arc<dyn Clock>) -> Self {
        Self::of(ModelStore::new(clock))
    }

    fn of(model: ModelStore) -> Self {
        let model = Arc::new(model);
        Self { stores: Stores::of(Arc::clone(&model)), model }
    }

    pub(super) fn fork(&self) -> Self {
        Self::of(self.model.fork())
    }

    /// Adds it to others, unless one of them is alike.
    pub(super) fn add_to(self, worlds: &mut Vec<Self>) {
        if !worlds.iter().any(|world| world.model.is_like(&self.model)) {
            worlds.push(self);
        }
    }

    /// The jobs that a claim finds.
    pub(super) fn ready(&self, request: &ClaimRequest) -> Vec<JobId> {
        self.model.ready(request)
    }

    /// The jobs that a sweep finds.
    pub(super) fn to_recover(&self) -> Vec<JobId> {
        self.model.to_recover()
    }

    /// Claims what is not locked.
    pub(super) fn claim(&self, request: &ClaimRequest, locked: &BTreeSet<JobId>) -> Answer {
        Answer::claimed(self.model.claim_beside(request, locked).unwrap())
    }

    /// Queues what is due and not locked.
    pub(super) fn recover_due(&self, request: &RecoverRequest, locked: &BTreeSet<JobId>) -> Answer {
        Answer::recovered(self.model.recover_due(request, locked).unwrap())
    }

    /// Takes jobs whose lease has expired, if they are not locked.
    pub(super) fn recover_expired(
        &self,
        request: &RecoverRequest,
        locked: &BTreeSet<JobId>,
    ) -> Answer {
        Answer::recovered(self.model.recover_expired(request, locked).unwrap())
    }
}

impl fmt::Debug for World {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("World").finish_non_exhaustive()
    }
}
