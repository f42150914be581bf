//! The port of the lease protocol.

use async_trait::async_trait;
use koinon_domain::{Generation, JobId};
use koinon_store::{
    Beat, ClaimRequest, Claimed, Commit, Error, Fenced, HeartbeatRequest, Hint, Hints, LeaseStore,
    Loaded, Peek, PeekRequest, RecoverRequest, Recovered, Signal,
};

use crate::{PostgresStore, read, write};

#[async_trait]
impl LeaseStore for PostgresStore {
    async fn peek(&self, request: &PeekRequest) -> Result<Peek, Error> {
        read::peek(self, request).await
    }

    async fn claim(&self, request: &ClaimRequest) -> Result<Vec<Claimed>, Error> {
        let taken = write::take(self.shared(), request).await?;
        let held = taken.into_iter().filter(|(_, loaded)| loaded.is_ok());
        Ok(held.map(|(claimed, _)| claimed).collect())
    }

    async fn take(&self, request: &ClaimRequest) -> Result<Vec<(Claimed, Loaded)>, Error> {
        write::take(self.shared(), request).await
    }

    async fn load(&self, claimed: &[Claimed]) -> Result<Vec<Loaded>, Error> {
        let found = read::load(self, claimed).await?;
        for (claimed, loaded) in claimed.iter().zip(&found) {
            if let Err(Error::Corrupt { what }) = loaded {
                match write::give_back(self.shared(), claimed, what).await {
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
        write::heartbeat(self.shared(), request).await
    }

    async fn commit(&self, commit: Commit) -> Result<Fenced<Signal>, Error> {
        let hint = Hint::of_commit(&commit);
        let fenced = self.commits(&commit).ask(commit).await?;
        self.hinting().give(hint.filter(|_| matches!(fenced, Fenced::Applied(_))));
        Ok(fenced)
    }

    async fn recover(&self, request: &RecoverRequest) -> Result<Recovered, Error> {
        let recovered = write::recover(self.shared(), request).await?;
        self.hinting().give(Hint::of_recovered(&recovered));
        Ok(recovered)
    }

    fn hints(&self) -> Hints {
        self.hinting().hints()
    }
}
