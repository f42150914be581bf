//! Requests that arrive while others are under way share the next transaction.

mod call;

use std::fmt::Debug;
use std::sync::Arc;

use koinon_store::Error;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc, oneshot};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::error::{self, Failure};
use crate::store::Shared;
use crate::tx::TRIES;

use self::call::Call;

const MEMBERS_MAX: usize = 100;
const BYTES_MAX: usize = 1024 * 1024;

/// So many groups of a lane are under way at once: one that is decided, and others that become durable.
const UNDER_WAY_MAX: usize = 3;

/// How many requests wait before callers wait themselves.
const INBOX: usize = 1024;

/// A verb that serves many requests in one transaction.
pub(crate) trait Work: Debug + Send + 'static {
    /// What is asked.
    type Request: Debug + Send + Sync;
    /// What is answered.
    type Answer: Debug + Send;

    /// About how many bytes a request writes.
    fn bytes(request: &Self::Request) -> usize;

    /// Whether a request can be decided beside those that are in the group.
    fn fits(group: &[&Self::Request], request: &Self::Request) -> bool;

    /// Serves all of them in one transaction, and answers in their order. What is wrong with one request
    /// is its own answer. The turn is given up once nothing is left but to wait until it is durable.
    fn run(
        shared: &Shared,
        group: &[&Self::Request],
        turn: Turn,
    ) -> impl Future<Output = Result<Vec<Result<Self::Answer, Error>>, Failure>> + Send;
}

/// Sends requests to a lane.
#[derive(Debug)]
pub(crate) struct Sender<W: Work> {
    inbox: mpsc::Sender<Call<W>>,
}

impl<W: Work> Sender<W> {
    /// Asks, and waits for the answer. The request is served even if nobody waits any more.
    pub(crate) async fn ask(&self, request: W::Request) -> Result<W::Answer, Error> {
        let (reply, answer) = oneshot::channel();
        let sent = self.inbox.send(Call { request, reply }).await;
        sent.map_err(|_| error::closed())?;
        answer.await.map_err(|_| error::closed())?
    }
}

/// Starts a lane, which ends once it is told to stop or every sender is gone.
pub(crate) fn start<W: Work>(
    shared: &Arc<Shared>,
    stop: &CancellationToken,
    tasks: &TaskTracker,
) -> Sender<W> {
    let (sender, lane) = Lane::new(Arc::clone(shared), stop.clone(), tasks.clone());
    tasks.spawn(lane.run());
    sender
}

/// The right to decide the next group of a lane; the next one waits for it.
pub(crate) type Turn = Option<OwnedSemaphorePermit>;

/// The task that serves requests of one kind, a group at a time; while one group becomes durable, the
/// next is decided.
#[derive(Debug)]
struct Lane<W: Work> {
    shared: Arc<Shared>,
    requests: mpsc::Receiver<Call<W>>,
    /// The request that did not fit into the last group.
    next: Option<Call<W>>,
    turn: Arc<Semaphore>,
    under_way: Arc<Semaphore>,
    stop: CancellationToken,
    tasks: TaskTracker,
}

impl<W: Work> Lane<W> {
    fn new(shared: Arc<Shared>, stop: CancellationToken, tasks: TaskTracker) -> (Sender<W>, Self) {
        let (inbox, requests) = mpsc::channel(INBOX);
        let turn = Arc::new(Semaphore::new(1));
        let under_way = Arc::new(Semaphore::new(UNDER_WAY_MAX));
        (Sender { inbox }, Self { shared, requests, next: None, turn, under_way, stop, tasks })
    }

    /// Serves until every sender is gone, or until it is told to stop and nothing waits any more.
    async fn run(mut self) {
        while let Some(first) = self.first().await {
            // What arrives while others are decided, or while too many become durable, joins the group.
            let Ok(place) = Arc::clone(&self.under_way).acquire_owned().await else { return };
            let Ok(turn) = Arc::clone(&self.turn).acquire_owned().await else { return };
            self.gather().await;
            let group = Group { shared: Arc::clone(&self.shared), calls: self.group(first) };
            self.tasks.spawn(async move {
                group.serve(turn).await;
                drop(place);
            });
        }
    }

    /// Lets those who are about to ask do so: what is asked in the same moment goes together.
    async fn gather(&self) {
        let mut waiting = self.requests.len();
        while waiting < MEMBERS_MAX {
            tokio::task::yield_now().await;
            let now = self.requests.len();
            if now <= waiting {
                return;
            }
            waiting = now;
        }
    }

    async fn first(&mut self) -> Option<Call<W>> {
        if let Some(call) = self.next.take() {
            return Some(call);
        }
        tokio::select! {
            biased;
            call = self.requests.recv() => call,
            () = self.stop.cancelled() => {
                // Nothing new is taken; what waits is still served.
                self.requests.close();
                self.requests.recv().await
            }
        }
    }

    /// The first request and those that wait behind it, as far as there is room.
    fn group(&mut self, first: Call<W>) -> Vec<Call<W>> {
        let mut bytes = W::bytes(&first.request);
        let mut group = vec![first];
        while group.len() < MEMBERS_MAX && bytes < BYTES_MAX {
            let Ok(call) = self.requests.try_recv() else { break };
            let members: Vec<_> = group.iter().map(|call| &call.request).collect();
            if !W::fits(&members, &call.request) {
                self.next = Some(call);
                break;
            }
            bytes += W::bytes(&call.request);
            group.push(call);
        }
        group
    }
}

/// Requests that are served together.
struct Group<W: Work> {
    shared: Arc<Shared>,
    calls: Vec<Call<W>>,
}

impl<W: Work> Group<W> {
    /// Serves the group in one transaction; if one member spoils it, each in its own.
    async fn serve(self, turn: OwnedSemaphorePermit) {
        match self.together(&self.calls, Some(turn)).await {
            Ok(answers) => {
                for (call, answer) in self.calls.into_iter().zip(answers) {
                    call.reply(answer);
                }
            }
            Err(failure) if self.calls.len() > 1 && !failure.is_of_all() => self.one_by_one().await,
            Err(failure) if self.calls.len() > 1 => {
                self.calls.into_iter().for_each(|call| call.reply(Err(failure.shared())));
            }
            Err(failure) => {
                if let Some(call) = self.calls.into_iter().next() {
                    call.reply(Err(failure.into()));
                }
            }
        }
    }

    async fn one_by_one(mut self) {
        for call in std::mem::take(&mut self.calls) {
            let answer = match self.together(std::slice::from_ref(&call), None).await {
                Ok(answers) => answers.into_iter().next().unwrap_or_else(|| Err(error::closed())),
                Err(failure) => Err(failure.into()),
            };
            call.reply(answer);
        }
    }

    async fn together(
        &self,
        calls: &[Call<W>],
        mut turn: Turn,
    ) -> Result<Vec<Result<W::Answer, Error>>, Failure> {
        let requests: Vec<_> = calls.iter().map(|call| &call.request).collect();
        let mut tries = 1;
        loop {
            match W::run(&self.shared, &requests, turn.take()).await {
                Err(failure) if failure.is_collision() && tries < TRIES => tries += 1,
                done => return done,
            }
        }
    }
}
