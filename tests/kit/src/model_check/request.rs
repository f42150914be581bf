//! One request, and the answer of one store to it.

use koinon_domain::{Generation, JobId, TenantId};
use koinon_store::{
    Beat, ClaimRequest, Claimed, Commit, ControlAnswer, ControlRequest, Error, Fenced,
    HeartbeatRequest, InDoubt, JobFilter, Listed, Peek, PeekRequest, ReconcileAnswer,
    ReconcileRequest, RecoverRequest, Recovered, Signal, Submission, Submitted,
};

use crate::Stores;

#[derive(Debug, Clone)]
pub(super) enum Request {
    Submit(Box<Submission>),
    Claim(ClaimRequest),
    Heartbeat(HeartbeatRequest),
    Commit(Box<Commit>),
    Control(TenantId, JobId, ControlRequest),
    Recover(RecoverRequest),
    Reconcile(ReconcileRequest),
    Peek(PeekRequest),
    Jobs(TenantId),
    InDoubt(TenantId),
}

/// An answer, where its order means nothing in the one order that every store can be brought to.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Answer {
    Submitted(Vec<Submitted>),
    Claimed(Vec<Claimed>),
    Beats(Vec<(JobId, Generation, Beat)>),
    Committed(Fenced<Signal>),
    Controlled(ControlAnswer),
    Recovered(Recovered),
    Reconciled(ReconcileAnswer),
    Peeked(Peek),
    Jobs(Vec<Listed>),
    InDoubt(Vec<InDoubt>),
    /// The store says that nobody can carry this out.
    Wrong,
}

pub(super) async fn send(stores: &Stores, request: Request) -> Answer {
    match try_send(stores, request).await {
        Ok(answer) => answer,
        Err(error) => {
            assert!(!error.is_transient(), "the store failed: {error:?}");
            Answer::Wrong
        }
    }
}

async fn try_send(stores: &Stores, request: Request) -> Result<Answer, Error> {
    let Stores { jobs, leases, ledger, .. } = stores;
    Ok(match request {
        Request::Submit(one) => Answer::Submitted(jobs.submit(vec![*one]).await?),
        Request::Claim(request) => {
            let mut claimed = leases.claim(&request).await?;
            claimed.sort_by_key(|one| one.job);
            Answer::Claimed(claimed)
        }
        Request::Heartbeat(request) => {
            let mut beats = leases.heartbeat(&request).await?;
            beats.sort_by_key(|(job, generation, _)| (*job, *generation));
            Answer::Beats(beats)
        }
        Request::Commit(commit) => Answer::Committed(leases.commit(*commit).await?),
        Request::Control(tenant, job, request) => {
            Answer::Controlled(jobs.control(&tenant, job, request).await?)
        }
        Request::Recover(request) => {
            let mut recovered = leases.recover(&request).await?;
            recovered.due.sort();
            recovered.expired.sort();
            Answer::Recovered(recovered)
        }
        Request::Reconcile(request) => Answer::Reconciled(ledger.reconcile(request).await?),
        Request::Peek(request) => {
            let mut peek = leases.peek(&request).await?;
            peek.ready.sort();
            peek.signals.sort_by_key(|(job, ..)| *job);
            Answer::Peeked(peek)
        }
        Request::Jobs(tenant) => {
            Answer::Jobs(jobs.jobs(&tenant, &JobFilter::default(), None, 1_000).await?)
        }
        Request::InDoubt(tenant) => {
            let mut found = ledger.in_doubt(&tenant, None, 1_000).await?;
            found.sort_by_key(|one| one.hold.id);
            Answer::InDoubt(found)
        }
    })
}
