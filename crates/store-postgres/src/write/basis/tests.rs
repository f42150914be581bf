//! What a process remembers is what it would read.

#[expect(dead_code, reason = "the tests beside the crate use the rest")]
#[path = "../../../tests/it/harness.rs"]
mod harness;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use koinon_domain::{Generation, JobId};
use koinon_kit::{Harness, Locking, Stores};
use koinon_store::{
    Beat, ClaimRequest, Claimed, Clock, Commit, Error, Fenced, HeartbeatRequest, Hints, LeaseStore,
    Loaded, Peek, PeekRequest, RecoverRequest, Recovered, Signal,
};

use self::harness::{OnPostgres, Place};
use super::super::locked;
use crate::error::Failure;
use crate::memory::Known;
use crate::tx::Tx;
use crate::{Notifications, Options, PostgresStore, Time};

/// A store that compares what it remembers with the rows after each verb that may have changed it.
#[derive(Debug, Clone)]
struct Compared {
    store: PostgresStore,
    /// How many rows were still as they are remembered.
    rows: Arc<AtomicUsize>,
    /// How many holds were.
    holds: Arc<AtomicUsize>,
}

impl Compared {
    async fn compare(&self) {
        let mut tx = Tx::each(self.store.shared(), &self.store.shared().pool).await.unwrap();
        let done = self.compare_all(&mut tx).await;
        tx.settle(done).await.unwrap();
    }

    async fn compare_all(&self, tx: &mut Tx<'_>) -> Result<(), Failure> {
        let known = self.store.shared().memory.all();
        let jobs: Vec<_> = known.iter().map(|known| known.run.job).collect();
        let claims = known.iter().map(|known| (known.run.job, known.run.generation)).collect();
        let before = locked::read_runs(tx, jobs.clone()).await?;
        let mut open = locked::open_holds(tx, claims).await?;
        let after = locked::read_runs(tx, jobs).await?;
        for Known { run, version, holds } in known {
            // Others write meanwhile; what they wrote is another version.
            let is_same = |(_, read): &&(_, _)| *read == version;
            let Some((read, _)) = before.get(&run.job).filter(is_same) else { continue };
            if after.get(&run.job).filter(is_same).is_none() {
                continue;
            }
            assert_eq!(run, *read, "a run is remembered otherwise than it was written");
            let open = open.remove(&run.job).unwrap_or_else(|| Ok(Vec::new()))?;
            assert_eq!(usize::try_from(run.open_holds), Ok(open.len()), "{run:?}");
            for hold in &holds {
                assert!(open.contains(hold), "{hold:?} is not among {open:?}");
            }
            self.rows.fetch_add(1, Ordering::Relaxed);
            self.holds.fetch_add(holds.len(), Ordering::Relaxed);
        }
        Ok(())
    }
}

#[async_trait]
impl LeaseStore for Compared {
    async fn peek(&self, request: &PeekRequest) -> Result<Peek, Error> {
        self.store.peek(request).await
    }

    async fn claim(&self, request: &ClaimRequest) -> Result<Vec<Claimed>, Error> {
        let claimed = self.store.claim(request).await;
        self.compare().await;
        claimed
    }

    async fn load(&self, claimed: &[Claimed]) -> Result<Vec<Loaded>, Error> {
        self.store.load(claimed).await
    }

    async fn heartbeat(
        &self,
        request: &HeartbeatRequest,
    ) -> Result<Vec<(JobId, Generation, Beat)>, Error> {
        self.store.heartbeat(request).await
    }

    async fn commit(&self, commit: Commit) -> Result<Fenced<Signal>, Error> {
        let answer = self.store.commit(commit).await;
        self.compare().await;
        answer
    }

    async fn recover(&self, request: &RecoverRequest) -> Result<Recovered, Error> {
        self.store.recover(request).await
    }

    fn hints(&self) -> Hints {
        self.store.hints()
    }
}

/// Opens stores that count together.
#[derive(Default)]
struct Comparing {
    rows: Arc<AtomicUsize>,
    holds: Arc<AtomicUsize>,
}

#[async_trait]
impl Harness for Comparing {
    async fn open(&self, clock: Arc<dyn Clock>) -> Stores {
        let place = Place::new().await;
        let options = Options { notifications: Notifications::Off, ..Options::default() };
        let store = place.open_with(options, Time::Given(clock)).await;
        let (rows, holds) = (Arc::clone(&self.rows), Arc::clone(&self.holds));
        let mut stores = Stores::of(Arc::new(store.clone()));
        stores.leases = Arc::new(Compared { store, rows, holds });
        stores.keeping(place)
    }

    async fn damage(&self, stores: &Stores, job: JobId) {
        OnPostgres.damage(stores, job).await;
    }
}

impl Comparing {
    fn again(&self) -> Self {
        Self { rows: Arc::clone(&self.rows), holds: Arc::clone(&self.holds) }
    }

    /// A comparison of nothing would find no difference.
    fn has_compared(&self) {
        let (rows, holds) = (self.rows.load(Ordering::Relaxed), self.holds.load(Ordering::Relaxed));
        assert!(rows >= 100 && holds >= 10, "{rows} rows and {holds} holds were compared");
    }
}

#[test]
fn what_is_remembered_is_what_would_be_read() {
    let comparing = Comparing::default();
    koinon_kit::model_check_together(|| comparing.again(), Locking::Rows);
    comparing.has_compared();
}
