//! Requests that arrive while others are under way share the next transaction.

mod call;

use std::fmt::Debug;
use std::sync::Arc;

use koinon_store::Error;
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;

use crate::error::{self, Failure};
use crate::store::Shared;
use crate::tx::TRIES;

use self::call::Call;

const MEMBERS_MAX: usize = 100;
const BYTES_MAX: usize = 1024 * 1024;

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
    /// is its own answer.
    fn run(
        shared: &Shared,
        group: &[&Self::Request],
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

/// The task that serves requests of one kind, a group at a time.
#[derive(Debug)]
pub(crate) struct Lane<W: Work> {
    shared: Arc<Shared>,
    requests: mpsc::Receiver<Call<W>>,
    /// The request that did not fit into the last group.
    next: Option<Call<W>>,
    stop: CancellationToken,
}

impl<W: Work> Lane<W> {
    pub(crate) fn new(shared: Arc<Shared>, stop: CancellationToken) -> (Sender<W>, Self) {
        let (inbox, requests) = mpsc::channel(INBOX);
        (Sender { inbox }, Self { shared, requests, next: None, stop })
    }

    /// Serves until every sender is gone, or until it is told to stop and nothing waits any more.
    pub(crate) async fn run(mut self) {
        while let Some(first) = self.first().await {
            let group = self.group(first);
            self.serve(group).await;
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

    /// Serves a group in one transaction; if one member spoils it, each in its own.
    async fn serve(&self, group: Vec<Call<W>>) {
        match self.together(&group).await {
            Ok(answers) => {
                for (call, answer) in group.into_iter().zip(answers) {
                    call.reply(answer);
                }
            }
            Err(failure) if group.len() > 1 && !failure.is_of_all() => {
                for call in group {
                    self.alone(call).await;
                }
            }
            Err(failure) if group.len() > 1 => {
                group.into_iter().for_each(|call| call.reply(Err(failure.shared())));
            }
            Err(failure) => {
                if let Some(call) = group.into_iter().next() {
                    call.reply(Err(failure.into()));
                }
            }
        }
    }

    async fn alone(&self, call: Call<W>) {
        let answer = match self.together(std::slice::from_ref(&call)).await {
            Ok(answers) => answers.into_iter().next().unwrap_or_else(|| Err(error::closed())),
            Err(failure) => Err(failure.into()),
        };
        call.reply(answer);
    }

    async fn together(&self, group: &[Call<W>]) -> Result<Vec<Result<W::Answer, Error>>, Failure> {
        let requests: Vec<_> = group.iter().map(|call| &call.request).collect();
        let mut tries = 1;
        loop {
            match W::run(&self.shared, &requests).await {
                Err(failure) if failure.is_collision() && tries < TRIES => tries += 1,
                done => return done,
            }
        }
    }
}
