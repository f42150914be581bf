//! The suite on the fault store that fails nothing, and on one that loses replies while its caller
//! asks again.

#![expect(clippy::unwrap_used, reason = "what goes wrong in a test must end it")]

use std::sync::Arc;

use async_trait::async_trait;
use koinon_domain::JobId;
use koinon_kit::{Fault, FaultStore, Harness, ModelHarness, Repeating, Stores, Verb};
use koinon_store::Clock;

struct Faulty {
    lost_replies: Option<u64>,
}

#[async_trait]
impl Harness for Faulty {
    async fn open(&self, clock: Arc<dyn Clock>) -> Stores {
        let inner = ModelHarness.open(clock).await;
        let faulty = FaultStore::new(inner.clone());
        let Some(k) = self.lost_replies else {
            return Stores::of(Arc::new(faulty)).keeping(inner);
        };
        faulty.fail_every(Verb::Commit, k, Fault::After);
        let mut stores = Stores::of(Arc::new(faulty)).keeping(inner);
        stores.leases = Arc::new(Repeating(stores.leases));
        stores
    }

    async fn damage(&self, stores: &Stores, job: JobId) {
        ModelHarness.damage(stores.kept().unwrap(), job).await;
    }
}

mod without_faults {
    koinon_kit::conformance!(crate::Faulty { lost_replies: None });
}

/// Every second reply, so that the repeat of a lost one gets through.
mod with_lost_replies {
    koinon_kit::conformance!(crate::Faulty { lost_replies: Some(2) });
}
