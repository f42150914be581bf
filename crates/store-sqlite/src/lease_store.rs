//! The port of the lease protocol.

use std::sync::Arc;

use async_trait::async_trait;
use koinon_domain::{Generation, JobId};
use koinon_store::{
    Beat, Claim, ClaimRequest, Claimed, Commit, Error, Fenced, HeartbeatRequest, Hint, Hints,
    LeaseStore, Loaded, Peek, PeekRequest, RecoverRequest, Recovered, Signal,
};

use crate::write::{GiveBack, Taken};
use crate::writer::Request;
use crate::{SqliteStore, read, row};

#[async_trait]
impl LeaseStore for SqliteStore {
    async fn peek(&self, request: &PeekRequest) -> Result<Peek, Error> {
        read::peek(self, request).await
    }

    async fn claim(&self, request: &ClaimRequest) -> Result<Vec<Claimed>, Error> {
        let taken = self.write(Request::Claim, request.clone()).await?;
        Ok(taken.into_iter().map(|taken| taken.claimed).collect())
    }

    async fn take(&self, request: &ClaimRequest) -> Result<Vec<(Claimed, Loaded)>, Error> {
        let taken = self.write(Request::Claim, request.clone()).await?;
        let taken: Vec<_> = taken.into_iter().map(loaded).collect();
        for (claimed, loaded) in &taken {
            self.give_back_unread(claimed, loaded).await?;
        }
        Ok(taken)
    }

    async fn load(&self, claimed: &[Claimed]) -> Result<Vec<Loaded>, Error> {
        let found = read::load(self, claimed).await?;
        for (claimed, loaded) in claimed.iter().zip(&found) {
            self.give_back_unread(claimed, loaded).await?;
        }
        Ok(found)
    }

    async fn heartbeat(
        &self,
        request: &HeartbeatRequest,
    ) -> Result<Vec<(JobId, Generation, Beat)>, Error> {
        self.write(Request::Heartbeat, request.clone()).await
    }

    async fn commit(&self, commit: Commit) -> Result<Fenced<Signal>, Error> {
        let hint = Hint::of_commit(&commit);
        let fenced = self.write(Request::Commit, commit).await?;
        self.hint(hint.filter(|_| matches!(fenced, Fenced::Applied(_))));
        Ok(fenced)
    }

    async fn recover(&self, request: &RecoverRequest) -> Result<Recovered, Error> {
        let recovered = self.write(Request::Recover, request.clone()).await?;
        self.hint(Hint::of_recovered(&recovered));
        Ok(recovered)
    }

    fn hints(&self) -> Hints {
        self.hints_here()
    }
}

impl SqliteStore {
    /// Gives a claim back whose job cannot be read.
    async fn give_back_unread(&self, claimed: &Claimed, loaded: &Loaded) -> Result<(), Error> {
        let Err(Error::Corrupt { what }) = loaded else { return Ok(()) };
        let given_back = GiveBack { claimed: claimed.clone(), why: what.clone() };
        match self.write(Request::GiveBack, given_back).await {
            // The row of the claim cannot be read either: recovery sets it aside.
            Ok(()) | Err(Error::Corrupt { .. }) => Ok(()),
            Err(error) => Err(error),
        }
    }
}

/// A claim with what it is about.
fn loaded(taken: Taken) -> (Claimed, Loaded) {
    let Taken { claimed, run, spec } = taken;
    let spec = spec.as_ref().map(row::spec).transpose();
    let claim = |spec| Claim { spec, run: Arc::unwrap_or_clone(run) };
    (claimed, spec.map(|spec| spec.map(claim)))
}
