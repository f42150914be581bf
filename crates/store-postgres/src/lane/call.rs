//! A request that waits for its answer.

use koinon_store::Error;
use tokio::sync::oneshot;

use super::Work;

/// A request, and where its answer goes once it is durable.
#[derive(Debug)]
pub(super) struct Call<W: Work> {
    pub(super) request: W::Request,
    pub(super) reply: oneshot::Sender<Result<W::Answer, Error>>,
}

impl<W: Work> Call<W> {
    /// Sends the answer; nobody may be waiting any more.
    pub(super) fn reply(self, answer: Result<W::Answer, Error>) {
        drop(self.reply.send(answer));
    }
}
