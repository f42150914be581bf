//! The port of the ledger.

use async_trait::async_trait;
use koinon_budget::Profile;
use koinon_domain::{JobId, StageName, TenantId};
use koinon_store::{
    CallRecord, Entry, Error, InDoubt, LedgerStore, ReconcileAnswer, ReconcileRequest,
};

use crate::{PostgresStore, read, write};

#[async_trait]
impl LedgerStore for PostgresStore {
    async fn entries(
        &self,
        tenant: &TenantId,
        job: JobId,
        skip: u64,
        limit: u32,
    ) -> Result<Vec<Entry>, Error> {
        read::entries(self, tenant, job, skip, limit).await
    }

    async fn calls(&self, job: JobId, stage: &StageName) -> Result<Vec<CallRecord>, Error> {
        read::calls(self, job, stage).await
    }

    async fn in_doubt(
        &self,
        tenant: &TenantId,
        job: Option<JobId>,
        limit: u32,
    ) -> Result<Vec<InDoubt>, Error> {
        read::in_doubt(self, tenant, job, limit).await
    }

    async fn reconcile(&self, request: ReconcileRequest) -> Result<ReconcileAnswer, Error> {
        write::reconcile(self.shared(), &request).await
    }

    async fn keep_profile(&self, profile: &Profile) -> Result<(), Error> {
        write::keep_profile(self.shared(), profile).await
    }
}
