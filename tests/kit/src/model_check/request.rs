//! One request, and the answer of one store to it.

use koinon_domain::{Generation, JobId, QueueName, TenantId};
use koinon_store::{
    Beat, ClaimRequest, Claimed, Commit, ControlAnswer, ControlRequest, Error, Fenced,
    HeartbeatRequest, InDoubt, JobFilter, Listed, Peek, PeekRequest, ReconcileAnswer,
    ReconcileRequest, RecoverRequest, Recovered, Running, Signal, Submission, Submitted,
};

use crate::Stores;
use crate::fault::is_planned;

#[derive(Debug, Clone)]
pub(super) enum Request {
    Submit(Box<Submission>),
    Claim(ClaimRequest),
    Heartbeat(HeartbeatRequest),
    Commit(Box<Commit>),
    Control(TenantId, JobId, ControlRequest),
    Recover(RecoverRequest),
    Reconcile(ReconcileRequest),
    PauseQueue(QueueName),
    ResumeQueue(QueueName),
    Peek(PeekRequest),
    Running(QueueName),
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
    QueueChanged(bool),
    Peeked(Peek),
    Running(Running),
    Jobs(Vec<Listed>),
    InDoubt(Vec<InDoubt>),
    /// The store says that nobody can carry this out.
    Wrong,
}

/// Sends a request to a store that does not fail.
pub(super) async fn send(stores: &Stores, request: Request) -> Answer {
    ask(stores, request).await.expect("nobody planned that the store fails")
}

/// Sends a request; `None` if it fails as planned, so that it may have happened or not.
pub(super) async fn ask(stores: &Stores, request: Request) -> Option<Answer> {
    match try_send(stores, request).await {
        Ok(answer) => Some(answer),
        Err(error) if is_planned(&error) => None,
        Err(error) => {
            assert!(!error.is_transient(), "the store failed: {error:?}");
            Some(Answer::Wrong)
        }
    }
}

async fn try_send(stores: &Stores, request: Request) -> Result<Answer, Error> {
    let Stores { jobs, leases, ledger, queues, .. } = stores;
    Ok(match request {
        Request::Submit(one) => Answer::Submitted(jobs.submit(vec![*one]).await?),
        Request::Claim(request) => Answer::claimed(leases.claim(&request).await?),
        Request::Heartbeat(request) => {
            let mut beats = leases.heartbeat(&request).await?;
            beats.sort_by_key(|(job, generation, _)| (*job, *generation));
            Answer::Beats(beats)
        }
        Request::Commit(commit) => Answer::Committed(leases.commit(*commit).await?),
        Request::Control(tenant, job, request) => {
            Answer::Controlled(jobs.control(&tenant, job, request).await?)
        }
        Request::Recover(request) => Answer::recovered(leases.recover(&request).await?),
        Request::Reconcile(request) => Answer::Reconciled(ledger.reconcile(request).await?),
        Request::PauseQueue(queue) => Answer::QueueChanged(queues.pause(&queue).await?),
        Request::ResumeQueue(queue) => Answer::QueueChanged(queues.resume(&queue).await?),
        Request::Peek(request) => {
            let mut peek = leases.peek(&request).await?;
            peek.ready.sort();
            peek.signals.sort_by_key(|(job, ..)| *job);
            Answer::Peeked(peek)
        }
        Request::Running(queue) => Answer::Running(queues.running(&queue).await?),
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

impl Answer {
    pub(super) fn claimed(mut claimed: Vec<Claimed>) -> Self {
        claimed.sort_by_key(|one| one.job);
        Self::Claimed(claimed)
    }

    pub(super) fn recovered(mut recovered: Recovered) -> Self {
        recovered.due.sort();
        recovered.expired.sort();
        Self::Recovered(recovered)
    }
}
