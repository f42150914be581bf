//! The port of the lease protocol.

use async_trait::async_trait;
use koinon_domain::{Generation, JobId};
use koinon_store::{
    Beat, ClaimRequest, Claimed, Commit, Error, Fenced, HeartbeatRequest, Hint, Hints, LeaseStore,
    Loaded, Peek, PeekRequest, RecoverRequest, Recovered, Signal,
};

use crate::write::GiveBack;
use crate::writer::Request;
use crate::{SqliteStore, read};

#[async_trait]
impl LeaseStore for SqliteStore {
    async fn peek(&self, request: &PeekRequest) -> Result<Peek, Error> {
        read::peek(self, request).await
    }

    async fn claim(&self, request: &ClaimRequest) -> Result<Vec<Claimed>, Error> {
        self.write(Request::Claim, request.clone()).await
    }

    async fn load(&self, claimed: &[Claimed]) -> Result<Vec<Loaded>, Error> {
        let found = read::load(self, claimed).await?;
        for (claimed, loaded) in claimed.iter().zip(&found) {
            if let Err(Error::Corrupt { what }) = loaded {
                let given_back = GiveBack { claimed: claimed.clone(), why: what.clone() };
                match self.write(Request::GiveBack, given_back).await {
                    // The row of the claim cannot be read either: recovery sets it aside.
                    Ok(()) | Err(Error::Corrupt { .. }) => {}
                    Err(error) => return Err(error),
                }
            }
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
