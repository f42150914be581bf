//! A caller that asks again when a reply is lost.

use std::sync::Arc;

use async_trait::async_trait;
use koinon_domain::{Generation, JobId};
use koinon_store::{
    Beat, ClaimRequest, Claimed, Commit, Error, Fenced, HeartbeatRequest, Hints, LeaseStore,
    Loaded, Peek, PeekRequest, RecoverRequest, Recovered, Signal,
};

/// Sends a commit again, once, when its reply was lost, as a worker does.
#[derive(Debug)]
pub struct Repeating(pub Arc<dyn LeaseStore>);

#[async_trait]
impl LeaseStore for Repeating {
    async fn peek(&self, request: &PeekRequest) -> Result<Peek, Error> {
        self.0.peek(request).await
    }

    async fn claim(&self, request: &ClaimRequest) -> Result<Vec<Claimed>, Error> {
        self.0.claim(request).await
    }

    async fn take(&self, request: &ClaimRequest) -> Result<Vec<(Claimed, Loaded)>, Error> {
        self.0.take(request).await
    }

    async fn load(&self, claimed: &[Claimed]) -> Result<Vec<Loaded>, Error> {
        self.0.load(claimed).await
    }

    async fn heartbeat(
        &self,
        request: &HeartbeatRequest,
    ) -> Result<Vec<(JobId, Generation, Beat)>, Error> {
        self.0.heartbeat(request).await
    }

    async fn commit(&self, commit: Commit) -> Result<Fenced<Signal>, Error> {
        match self.0.commit(commit.clone()).await {
            Err(Error::Unavailable(_)) => self.0.commit(commit).await,
            answer => answer,
        }
    }

    async fn recover(&self, request: &RecoverRequest) -> Result<Recovered, Error> {
        self.0.recover(request).await
    }

    fn hints(&self) -> Hints {
        self.0.hints()
    }
}
