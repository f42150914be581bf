//! The model held against its own invariants, over random sequences of verbs; and what the check sees.

use std::sync::Arc;

use async_trait::async_trait;
use koinon_budget::Profile;
use koinon_domain::{JobId, StageName, TenantId};
use koinon_kit::{Harness, Locking, ModelHarness, Stores, model_check_together};
use koinon_store::{
    CallRecord, Clock, Entry, Error, InDoubt, LedgerStore, ReconcileAnswer, ReconcileRequest,
};

koinon_kit::model_check!(koinon_kit::ModelHarness, koinon_kit::Locking::Whole);

/// Forgets reconciliations, though it answers as if it had written them.
#[derive(Debug)]
struct Forgetful(Arc<dyn LedgerStore>);

#[async_trait]
impl LedgerStore for Forgetful {
    async fn entries(
        &self,
        tenant: &TenantId,
        job: JobId,
        skip: u64,
        limit: u32,
    ) -> Result<Vec<Entry>, Error> {
        self.0.entries(tenant, job, skip, limit).await
    }

    async fn calls(&self, job: JobId, stage: &StageName) -> Result<Vec<CallRecord>, Error> {
        self.0.calls(job, stage).await
    }

    async fn in_doubt(
        &self,
        tenant: &TenantId,
        job: Option<JobId>,
        limit: u32,
    ) -> Result<Vec<InDoubt>, Error> {
        self.0.in_doubt(tenant, job, limit).await
    }

    async fn reconcile(&self, request: ReconcileRequest) -> Result<ReconcileAnswer, Error> {
        let in_doubt = self.0.in_doubt(&request.tenant, None, 1_000).await?;
        let found = in_doubt.iter().find(|one| one.hold.id == request.hold);
        match found {
            Some(found) => Ok(ReconcileAnswer::Reconciled(found.job)),
            None => self.0.reconcile(request).await,
        }
    }

    async fn keep_profile(&self, profile: &Profile) -> Result<(), Error> {
        self.0.keep_profile(profile).await
    }
}

struct OnForgetful;

#[async_trait]
impl Harness for OnForgetful {
    async fn open(&self, clock: Arc<dyn Clock>) -> Stores {
        let mut stores = ModelHarness.open(clock).await;
        stores.ledger = Arc::new(Forgetful(stores.ledger));
        stores
    }

    async fn damage(&self, stores: &Stores, job: JobId) {
        ModelHarness.damage(stores, job).await;
    }
}

#[test]
#[should_panic(expected = "no order with these answers leads to what is there")]
fn a_write_that_is_answered_and_not_there_is_seen() {
    model_check_together(|| OnForgetful, Locking::Whole);
}
