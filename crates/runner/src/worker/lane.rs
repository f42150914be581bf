//! The lane of a queue: from a look that found work to claims under permits.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use koinon_admission::{Permit, Refused};
use koinon_domain::QueueName;
use koinon_store::{Error, Scope};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_util::sync::CancellationToken;

use super::Core;

/// So long a claim waits at the most for the permits of runs whose ends are being written.
const GATHER_FOR: Duration = Duration::from_millis(5);

/// A queue, and how many of its jobs one process runs at once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lane {
    queue: QueueName,
    capacity: usize,
}

impl Lane {
    /// A queue of which at most `capacity` jobs run at once, if the permits of the process allow as many.
    #[must_use]
    pub fn new(queue: QueueName, capacity: NonZeroUsize) -> Self {
        Self { queue, capacity: capacity.get().min(Semaphore::MAX_PERMITS) }
    }
}

impl From<QueueName> for Lane {
    /// A queue that only the permits of the process limit.
    fn from(queue: QueueName) -> Self {
        Self { queue, capacity: Semaphore::MAX_PERMITS }
    }
}

/// A lane, and how many of its places are free.
#[derive(Debug)]
pub(super) struct OpenLane {
    lane: Lane,
    places: Arc<Semaphore>,
}

/// The right to run one job: its place in the lane, and a permit of the process.
#[derive(Debug)]
pub(crate) struct Turn {
    pub(crate) permit: Permit,
    /// A job that is driven by itself stands in no lane.
    _place: Option<OwnedSemaphorePermit>,
}

impl Turn {
    /// A turn outside of every lane.
    pub(super) const fn alone(permit: Permit) -> Self {
        Self { permit, _place: None }
    }

    const fn in_lane(place: OwnedSemaphorePermit, permit: Permit) -> Self {
        Self { permit, _place: Some(place) }
    }
}

impl OpenLane {
    pub(super) fn new(lane: Lane) -> Self {
        let places = Arc::new(Semaphore::new(lane.capacity));
        Self { lane, places }
    }

    pub(super) const fn queue(&self) -> &QueueName {
        &self.lane.queue
    }

    pub(super) fn running(&self) -> usize {
        self.lane.capacity - self.places.available_permits()
    }

    /// A place of the lane; `None` if it is full.
    fn try_place(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.places).try_acquire_owned().ok()
    }

    /// Waits for a place of the lane. The places are never closed.
    async fn place(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.places).acquire_owned().await.ok()
    }
}

impl Core {
    /// Claims for one queue whenever a look found work in it, until `finish` is cancelled.
    pub(super) async fn serve(
        self: &Arc<Self>,
        lane: &OpenLane,
        finish: &CancellationToken,
    ) -> Result<(), Error> {
        let mut peeked = self.peeked.subscribe();
        peeked.mark_changed();
        loop {
            tokio::select! {
                changed = peeked.changed() => if changed.is_err() { return Ok(()) },
                () = finish.cancelled() => return Ok(()),
            }
            if peeked.borrow_and_update().ready.contains(lane.queue()) {
                self.claiming.fetch_add(1, Ordering::AcqRel);
                let claimed = self.claim_all(lane, finish).await;
                self.claiming.fetch_sub(1, Ordering::AcqRel);
                claimed?;
            }
        }
    }

    /// Claims as long as claims come back full. A refusal leaves the work in its queue until the next look.
    async fn claim_all(
        self: &Arc<Self>,
        lane: &OpenLane,
        finish: &CancellationToken,
    ) -> Result<(), Error> {
        loop {
            let first = tokio::select! {
                turn = self.turn(lane) => turn,
                () = finish.cancelled() => return Ok(()),
            };
            let Some(first) = first else { return Ok(()) };
            self.gather().await;
            // Whoever waits for a permit comes first: none is free then.
            let more = || {
                let place = lane.try_place()?;
                Some(Turn::in_lane(place, self.bulkhead.try_acquire()?))
            };
            let turns: Vec<_> = std::iter::once(first).chain(std::iter::from_fn(more)).collect();
            let asked = turns.len();
            if self.begin_all(lane.queue().clone(), turns).await? < asked {
                return Ok(());
            }
        }
    }

    /// Waits while more permits are about to come free than are free, so that one claim serves all the runs
    /// that end together; not for long.
    async fn gather(&self) {
        let gathered = async {
            while self.ending.load(Ordering::Acquire) > self.bulkhead.available() {
                self.ended.notified().await;
            }
        };
        let _in_time = tokio::time::timeout(GATHER_FOR, gathered).await;
    }

    /// A turn for one job: first a place in the lane, then a permit behind everyone who waits for one.
    async fn turn(&self, lane: &OpenLane) -> Option<Turn> {
        let place = lane.place().await?;
        match self.bulkhead.acquire().await {
            Ok(permit) => Some(Turn::in_lane(place, permit)),
            Err(refused) => {
                if refused != Refused::Closed {
                    tracing::debug!(queue = %lane.queue(), %refused, "its work stays unclaimed");
                }
                None
            }
        }
    }

    /// Claims for these turns, and begins to run what comes. It happens completely even if nobody waits for
    /// it any more: a claim whose answer is not taken would be charged.
    async fn begin_all(
        self: &Arc<Self>,
        queue: QueueName,
        turns: Vec<Turn>,
    ) -> Result<usize, Error> {
        let core = Arc::clone(self);
        let claiming = self.tracker.spawn(async move {
            let jobs = core.claim(&queue, Scope::Queue(queue.clone()), turns).await?;
            let begun = jobs.len();
            for run in core.begin_each(jobs) {
                core.tracker.spawn(run.run());
            }
            Ok(begun)
        });
        // It panics nowhere; should it all the same, its turns are free again.
        claiming.await.unwrap_or(Ok(0))
    }
}
