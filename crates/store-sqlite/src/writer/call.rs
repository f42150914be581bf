//! A request that waits for its answer.

use koinon_store::Error;
use tokio::sync::oneshot;

use crate::error::Failure;
use crate::tx::Tx;

/// A request, and where its answer goes once it is durable. The request is kept until then, because
/// it may have to be run again.
#[derive(Debug)]
pub(crate) struct Call<Q, A> {
    request: Q,
    reply: oneshot::Sender<Answered<Q, A>>,
    answer: Option<Result<A, Error>>,
}

/// An answer, with the request that it is to. The memory of the request is freed where it was taken: between two
/// threads, that waits for locks.
#[derive(Debug)]
pub(crate) struct Answered<Q, A> {
    pub(crate) answer: Result<A, Error>,
    _request: Q,
}

impl<Q, A> Call<Q, A> {
    pub(crate) const fn new(request: Q, reply: oneshot::Sender<Answered<Q, A>>) -> Self {
        Self { request, reply, answer: None }
    }

    pub(crate) const fn request(&self) -> &Q {
        &self.request
    }

    /// Keeps the answer until the transaction is durable.
    pub(crate) fn keep(&mut self, answer: Result<A, Error>) {
        self.answer = Some(answer);
    }

    /// Keeps the answer of a verb that began when `before` rows were written. What went wrong before
    /// the verb wrote anything is its own affair; anything else spoils the transaction.
    pub(crate) fn settle(
        &mut self,
        before: u64,
        tx: &Tx<'_>,
        answer: Result<A, Failure>,
    ) -> Result<(), Failure> {
        let answer = match answer {
            Ok(answer) => Ok(answer),
            Err(Failure::Verb(error)) if tx.writes() == before => Err(error),
            Err(failure) => return Err(failure),
        };
        self.keep(answer);
        Ok(())
    }

    /// Sends the answer; nobody may be waiting any more.
    pub(crate) fn reply(self) {
        let answer = self.answer.unwrap_or_else(|| Err(crate::error::closed()));
        drop(self.reply.send(Answered { answer, _request: self.request }));
    }

    /// Sends an error instead of the answer.
    pub(crate) fn fail(self, error: Error) {
        drop(self.reply.send(Answered { answer: Err(error), _request: self.request }));
    }
}
