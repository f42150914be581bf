//! One commit of a job in flight; what its items finish meanwhile joins the next.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use koinon_domain::{CommitNo, ErrorCode, Progress};
use koinon_retry::Class;
use koinon_store::{
    Checkpoint, Clock, Commit, End, Error, Fenced, HoldEnd, LeaseStore, NewHold, Note, Refusal,
    Signal,
};
use tokio::sync::{Notify, OwnedSemaphorePermit, mpsc, oneshot};

use crate::held::Held;
use crate::{Failure, Halt, JobError};

/// At most so many parts share one commit.
const MEMBERS_MAX: usize = 64;
/// So long a full disk is waited for; then the claim is left to its lease.
pub(crate) const FULL_FOR: Duration = Duration::from_secs(5);

/// So long a start waits for something to share its commit with: what a job writes soon brings it along. One
/// whose workload waits for something else goes at once.
const START_WITHIN: Duration = Duration::from_millis(5);

/// So long is waited between two tries of a commit at the most; then it is not logged any more.
const WAIT_MAX: Duration = Duration::from_secs(1);

/// The right of an item to run beside so many others.
pub(crate) type Place = OwnedSemaphorePermit;

/// What one item, or the run itself, wants written.
#[derive(Debug, Default)]
pub(crate) struct Part {
    pub(crate) started: bool,
    pub(crate) items_started: u32,
    pub(crate) hold: Option<NewHold>,
    pub(crate) hold_end: Option<HoldEnd>,
    pub(crate) checkpoint: Option<Checkpoint>,
    pub(crate) progress: Option<Progress>,
    pub(crate) notes: Vec<Note>,
    pub(crate) end: Option<End>,
    /// The place of the item whose result this is; the next item has it once the part is on its way.
    pub(crate) place: Option<Place>,
}

impl Part {
    /// The start of the run, which anything that follows soon brings along.
    pub(crate) fn start() -> Self {
        Self { started: true, ..Self::default() }
    }
}

/// Why a part was not written.
#[derive(Debug)]
pub(crate) enum NotWritten {
    /// The claim is no longer the job's.
    Stale,
    /// A rule refused it.
    Refused(Refusal),
    /// The store failed for good, or for too long.
    Failed(Error),
    /// The run is over.
    Closed,
}

/// The way to the store for everything that one claim writes.
#[derive(Debug, Clone)]
pub(crate) struct Committer {
    requests: mpsc::Sender<Request>,
    /// Nothing more is written soon.
    go: Arc<Notify>,
}

#[derive(Debug)]
struct Request {
    part: Part,
    reply: oneshot::Sender<Result<(), NotWritten>>,
}

impl Committer {
    /// The committer of a claim, and the task that must be run for it; the task ends when every copy of
    /// the committer is gone.
    pub(crate) fn new(
        held: Arc<Held>,
        leases: Arc<dyn LeaseStore>,
        clock: Arc<dyn Clock>,
    ) -> (Self, impl Future<Output = ()> + Send + 'static) {
        let (sender, receiver) = mpsc::channel(2 * MEMBERS_MAX);
        let go = Arc::new(Notify::new());
        let writer = Writer { held, leases, clock, last: CommitNo::ZERO, go: Arc::clone(&go) };
        (Self { requests: sender, go }, writer.run(receiver))
    }

    /// Writes a part.
    ///
    /// # Cancel safety
    ///
    /// A part whose caller has gone is written all the same, unless it would open a hold.
    pub(crate) async fn write(&self, part: Part) -> Result<(), NotWritten> {
        self.send(part).await?.written().await
    }

    /// Hands a part in; what is handed in later is written with it or after it. Then its place is free.
    pub(crate) async fn send(&self, mut part: Part) -> Result<Sent, NotWritten> {
        let (reply, answer) = oneshot::channel();
        let place = part.place.take();
        let request = Request { part, reply };
        self.requests.send(request).await.map_err(|_| NotWritten::Closed)?;
        drop(place);
        Ok(Sent(answer))
    }

    /// Lets a start go that waits for something to share its commit with: what was handed in by now is all
    /// that comes soon.
    pub(crate) fn go(&self) {
        self.go.notify_one();
    }
}

/// A part that is on its way.
#[derive(Debug)]
pub(crate) struct Sent(oneshot::Receiver<Result<(), NotWritten>>);

impl Sent {
    /// Waits until it is written.
    pub(crate) async fn written(self) -> Result<(), NotWritten> {
        self.0.await.unwrap_or(Err(NotWritten::Closed))
    }
}

struct Writer {
    held: Arc<Held>,
    leases: Arc<dyn LeaseStore>,
    clock: Arc<dyn Clock>,
    last: CommitNo,
    go: Arc<Notify>,
}

impl Writer {
    async fn run(mut self, mut requests: mpsc::Receiver<Request>) {
        let mut batch = Vec::with_capacity(MEMBERS_MAX);
        while requests.recv_many(&mut batch, MEMBERS_MAX).await > 0 {
            if batch.iter().all(|request| request.part.started) {
                tokio::select! {
                    biased;
                    _more = requests.recv_many(&mut batch, MEMBERS_MAX) => {}
                    () = self.go.notified() => {}
                    () = tokio::time::sleep(START_WITHIN) => {}
                }
            }
            // Nobody would send the request that such a hold is for.
            batch.retain(|request| request.part.hold.is_none() || !request.reply.is_closed());
            self.write_batch(std::mem::take(&mut batch)).await;
        }
    }

    /// Writes the parts in one commit; if a rule refuses that, each in its own.
    async fn write_batch(&mut self, batch: Vec<Request>) {
        if batch.is_empty() {
            return;
        }
        let (parts, replies): (Vec<_>, Vec<_>) =
            batch.into_iter().map(|request| (request.part, request.reply)).unzip();
        let alone = parts.len() == 1;
        let commit = self.merge(&parts);
        match self.send(&commit).await {
            Err(NotWritten::Refused(_)) if !alone => {
                for (part, reply) in parts.into_iter().zip(replies) {
                    let commit = self.merge(std::slice::from_ref(&part));
                    // The caller may be gone; then nobody waits for the answer.
                    let _gone = reply.send(self.send(&commit).await);
                }
            }
            answer => {
                for reply in replies {
                    let _gone = reply.send(copied(&answer));
                }
            }
        }
    }

    fn merge(&mut self, parts: &[Part]) -> Commit {
        self.last = self.last.next();
        let mut commit = Commit {
            job: self.held.job,
            tenant: self.held.tenant.clone(),
            owner: self.held.owner,
            generation: self.held.generation,
            commit_no: self.last,
            lease_for: self.held.lease_for,
            started: false,
            items_started: 0,
            holds: Vec::new(),
            hold_ends: Vec::new(),
            checkpoints: Vec::new(),
            progress: None,
            notes: Vec::new(),
            end: None,
        };
        for part in parts {
            commit.started |= part.started;
            commit.items_started += part.items_started;
            commit.holds.extend(part.hold.clone());
            commit.hold_ends.extend(part.hold_end.clone());
            commit.checkpoints.extend(part.checkpoint.clone());
            commit.notes.extend(part.notes.iter().cloned());
            commit.progress = part.progress.clone().or(commit.progress);
            commit.end = part.end.clone().or(commit.end);
        }
        commit
    }

    /// Sends a commit until the store has answered it. A repeat is harmless: the store knows it by its
    /// number. Ends with the answer, with an error that no repeat cures, or when the disk stays full.
    async fn send(&self, commit: &Commit) -> Result<(), NotWritten> {
        let mut wait = Duration::from_millis(50);
        let began = self.clock.monotonic();
        loop {
            let sent_at = self.clock.monotonic();
            match self.leases.commit(commit.clone()).await {
                Ok(Fenced::Applied(signal)) => {
                    self.applied(commit, signal, sent_at);
                    return Ok(());
                }
                Ok(Fenced::Stale) => {
                    let (job, generation) = (commit.job, commit.generation);
                    tracing::warn!(%job, %generation, "a stale write was refused");
                    self.held.stop(Halt::LeaseLost);
                    return Err(NotWritten::Stale);
                }
                Ok(Fenced::Refused(refusal)) => {
                    if let Refusal::Signalled(signal) = &refusal {
                        self.held.obey(*signal);
                    }
                    return Err(NotWritten::Refused(refusal));
                }
                Err(error) if !error.is_transient() => return Err(NotWritten::Failed(error)),
                Err(error @ Error::Full(_)) if sent_at.saturating_sub(began) >= FULL_FOR => {
                    return Err(NotWritten::Failed(error));
                }
                Err(error) => {
                    if wait < WAIT_MAX {
                        tracing::warn!(%error, job = %commit.job, "a commit did not reach the store");
                    }
                    tokio::time::sleep(wait).await;
                    wait = (wait * 2).min(WAIT_MAX);
                }
            }
        }
    }

    fn applied(&self, commit: &Commit, signal: Signal, sent_at: Duration) {
        self.held.committed(sent_at);
        if !commit.checkpoints.is_empty() {
            self.held.checkpointed.store(true, Ordering::Release);
        }
        if !commit.ends_claim() {
            self.held.obey(signal);
        }
    }
}

/// The same answer for each of several callers.
fn copied(answer: &Result<(), NotWritten>) -> Result<(), NotWritten> {
    match answer {
        Ok(()) => Ok(()),
        Err(NotWritten::Stale) => Err(NotWritten::Stale),
        Err(NotWritten::Refused(refusal)) => Err(NotWritten::Refused(refusal.clone())),
        Err(NotWritten::Failed(error)) => Err(NotWritten::Failed(again(error))),
        Err(NotWritten::Closed) => Err(NotWritten::Closed),
    }
}

fn again(error: &Error) -> Error {
    let text = || error.to_string().into();
    if matches!(error, Error::Full(_)) { Error::Full(text()) } else { Error::Other(text()) }
}

impl From<NotWritten> for JobError {
    fn from(why: NotWritten) -> Self {
        match why {
            NotWritten::Stale | NotWritten::Closed => Halt::LeaseLost.into(),
            NotWritten::Refused(refusal) => refused(&refusal),
            NotWritten::Failed(error) => error.into(),
        }
    }
}

fn refused(refusal: &Refusal) -> JobError {
    let text = refusal.to_string();
    match refusal {
        Refusal::BudgetExceeded(exceeded) => Halt::Budget(*exceeded).into(),
        Refusal::LeaseExpired { .. } => Halt::LeaseLost.into(),
        Refusal::Signalled(Signal::Cancel) => Halt::Cancel.into(),
        Refusal::Signalled(Signal::OverBudget(exceeded)) => Halt::Budget(*exceeded).into(),
        Refusal::Signalled(Signal::Pause | Signal::Continue) => Halt::Pause.into(),
        Refusal::PriceUnknown { .. } => {
            Failure::permanent(text).with_code(ErrorCode::PRICE_UNKNOWN).into()
        }
        Refusal::AuthorityLost => Failure::new(Class::AuthorityLost, text).into(),
    }
}
