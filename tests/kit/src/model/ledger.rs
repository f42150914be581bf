//! Reading the ledger, and what is learnt late.

use async_trait::async_trait;
use koinon_budget::Profile;
use koinon_domain::{JobId, StageName, TenantId};
use koinon_store::{
    CallRecord, CallRef, Entry, EntryKind, Error, Hold, HoldState, InDoubt, LedgerStore,
    ReconcileAnswer, ReconcileRequest, decide,
};

use super::ModelStore;
use super::rows::{Rows, invalid};

#[async_trait]
impl LedgerStore for ModelStore {
    async fn entries(
        &self,
        tenant: &TenantId,
        job: JobId,
        skip: u64,
        limit: u32,
    ) -> Result<Vec<Entry>, Error> {
        let rows = self.rows();
        if rows.run(tenant, job).is_none() {
            return Ok(Vec::new());
        }
        let skip = usize::try_from(skip).unwrap_or(usize::MAX);
        Ok(rows.entries(job).skip(skip).take(limit as usize).cloned().collect())
    }

    async fn calls(&self, job: JobId, stage: &StageName) -> Result<Vec<CallRecord>, Error> {
        let rows = self.rows();
        Ok(rows.calls(job, stage).into_iter().map(|call| record(&rows, job, call)).collect())
    }

    async fn in_doubt(
        &self,
        tenant: &TenantId,
        job: Option<JobId>,
        limit: u32,
    ) -> Result<Vec<InDoubt>, Error> {
        let rows = self.rows();
        let of_tenant = rows.specs.values().filter(|spec| spec.tenant == *tenant);
        let jobs = of_tenant.map(|spec| spec.id).filter(|id| job.is_none_or(|job| job == *id));
        let holds =
            jobs.flat_map(|job| rows.holds(job).into_iter().map(move |hold| InDoubt { job, hold }));
        let in_doubt = holds.filter(|one| one.hold.state == HoldState::InDoubt);
        Ok(in_doubt.take(limit as usize).collect())
    }

    async fn reconcile(&self, request: ReconcileRequest) -> Result<ReconcileAnswer, Error> {
        let (mut rows, now) = self.begin();
        let Some((job, hold)) = rows.hold(request.hold) else {
            return Ok(ReconcileAnswer::NotFound);
        };
        let Some(run) = rows.run(&request.tenant, job).cloned() else {
            return Ok(ReconcileAnswer::NotFound);
        };
        let answered = rows.is_answered(job, &hold.call);
        match decide::reconcile(run, &hold, &request.outcome, answered, now) {
            decide::ReconcileDecision::Apply(changes) => {
                rows.save(*changes)?;
                Ok(ReconcileAnswer::Reconciled(job))
            }
            decide::ReconcileDecision::NotInDoubt => Ok(ReconcileAnswer::NotInDoubt),
        }
    }

    async fn keep_profile(&self, profile: &Profile) -> Result<(), Error> {
        let (mut rows, _) = self.begin();
        match rows.profiles.iter().find(|kept| kept.id() == profile.id()) {
            Some(kept) if kept == profile => Ok(()),
            Some(_) => Err(invalid(format!("profile {} has other prices", profile.id()))),
            None => {
                rows.profiles.push(profile.clone());
                Ok(())
            }
        }
    }
}

fn record(rows: &Rows, job: JobId, call: &CallRef) -> CallRecord {
    let entries = || rows.entries(job).filter(|entry| entry.call == *call);
    let doubtful = |hold: &Hold| hold.call == *call && hold.state == HoldState::InDoubt;
    CallRecord {
        call: call.clone(),
        answer: entries().find(|entry| entry.usable).and_then(|entry| entry.answer.clone()),
        rejected: entries().any(|entry| entry.kind == EntryKind::Settled && !entry.usable),
        in_doubt: rows.holds(job).iter().any(doubtful),
    }
}
