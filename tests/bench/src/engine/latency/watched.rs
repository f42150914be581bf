//! A store that says when a start, and when an end, was committed.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use koinon::domain::{Generation, JobId, State};
use koinon::store::{
    Beat, ClaimRequest, Claimed, Clock as _, Commit, Error, Fenced, HeartbeatRequest, Hints,
    LeaseStore, Loaded, Peek, PeekRequest, RecoverRequest, Recovered, Signal, SystemClock,
};
use koinon_store_postgres::PostgresStore;
use tokio::sync::mpsc;

/// What was committed, and when that was known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Seen {
    Start(Duration),
    End,
}

/// The store of a worker.
#[derive(Debug)]
pub(super) struct Watched {
    pub(super) store: PostgresStore,
    pub(super) clock: Arc<SystemClock>,
    pub(super) seen: mpsc::UnboundedSender<Seen>,
}

impl Watched {
    fn see(&self, what: Seen) {
        // Nobody looks at the last ones any more.
        let _unseen = self.seen.send(what);
    }
}

#[async_trait]
impl LeaseStore for Watched {
    async fn peek(&self, request: &PeekRequest) -> Result<Peek, Error> {
        self.store.peek(request).await
    }

    async fn claim(&self, request: &ClaimRequest) -> Result<Vec<Claimed>, Error> {
        self.store.claim(request).await
    }

    async fn load(&self, claimed: &[Claimed]) -> Result<Vec<Loaded>, Error> {
        self.store.load(claimed).await
    }

    async fn take(&self, request: &ClaimRequest) -> Result<Vec<(Claimed, Loaded)>, Error> {
        let taken = self.store.take(request).await?;
        let starts = |loaded: &Loaded| {
            let run = loaded.as_ref().ok().and_then(Option::as_ref).map(|claim| &claim.run);
            run.is_some_and(|run| run.state == State::Running)
        };
        if taken.iter().any(|(_, loaded)| starts(loaded)) {
            self.see(Seen::Start(self.clock.monotonic()));
        }
        Ok(taken)
    }

    async fn heartbeat(
        &self,
        request: &HeartbeatRequest,
    ) -> Result<Vec<(JobId, Generation, Beat)>, Error> {
        self.store.heartbeat(request).await
    }

    async fn commit(&self, commit: Commit) -> Result<Fenced<Signal>, Error> {
        let (starts, ends) = (commit.started, commit.end.is_some());
        let answer = self.store.commit(commit).await;
        if starts {
            self.see(Seen::Start(self.clock.monotonic()));
        }
        if ends {
            self.see(Seen::End);
        }
        answer
    }

    async fn recover(&self, request: &RecoverRequest) -> Result<Recovered, Error> {
        self.store.recover(request).await
    }

    fn hints(&self) -> Hints {
        self.store.hints()
    }
}
