//! A store whose verbs fail now and then.

use std::sync::Arc;

use async_trait::async_trait;
use koinon_domain::JobId;
use koinon_store::Clock;

use super::{Fault, FaultStore, Verb};
use crate::{Harness, Stores};

/// Opens the stores of another harness so that each verb that writes fails now and then: some calls never reach the
/// store, the replies of others are lost.
#[derive(Debug)]
pub struct LosingReplies<H>(pub H);

#[async_trait]
impl<H: Harness> Harness for LosingReplies<H> {
    async fn open(&self, clock: Arc<dyn Clock>) -> Stores {
        let inner = self.0.open(clock).await;
        let faulty = FaultStore::new(inner.clone());
        for (verb, k, fault) in [
            (Verb::Submit, 5, Fault::After),
            (Verb::Claim, 6, Fault::After),
            (Verb::Heartbeat, 4, Fault::After),
            (Verb::Commit, 7, Fault::After),
            (Verb::Control, 5, Fault::Before),
            (Verb::Recover, 3, Fault::After),
            (Verb::Reconcile, 3, Fault::Before),
        ] {
            faulty.fail_every(verb, k, fault);
        }
        Stores::of(Arc::new(faulty)).keeping(inner)
    }

    async fn damage(&self, stores: &Stores, job: JobId) {
        self.0.damage(stores.kept().expect("it was kept"), job).await;
    }
}
