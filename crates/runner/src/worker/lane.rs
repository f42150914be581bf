//! The lane of a queue: from a look that found work to claims under permits.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use koinon_admission::{Permit, Refused};
use koinon_domain::QueueName;
use koinon_store::{Error, RunningLimits, Scope};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};
use tokio_util::sync::CancellationToken;

use super::Core;
use super::turn::{Promises, Seat, Turn};

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

    pub(super) const fn queue(&self) -> &QueueName {
        &self.queue
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
    /// The turns that come free soon; `None` where a claim has to see the ends of the runs before it, because
    /// the store counts what runs.
    promises: Option<Arc<Promises>>,
    /// Whether this lane stands in the line for a permit.
    in_line: AtomicBool,
}

impl OpenLane {
    pub(super) fn new(lane: Lane, limits: RunningLimits) -> Self {
        let places = Arc::new(Semaphore::new(lane.capacity));
        let promises = limits.is_none().then(Arc::default);
        Self { lane, places, promises, in_line: AtomicBool::new(false) }
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

    /// A turn of this lane.
    fn turn(&self, place: OwnedSemaphorePermit, permit: Permit) -> Turn {
        Turn::in_lane(place, permit, self.promises.clone())
    }

    /// Says that this lane stands in the line for a permit, until the answer is dropped.
    fn line_up(&self) -> impl Drop {
        self.in_line.store(true, Ordering::Release);
        InLine(&self.in_line)
    }

    /// Waits for a place of the lane. The places are never closed.
    async fn place(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.places).acquire_owned().await.ok()
    }
}

struct InLine<'l>(&'l AtomicBool);

impl Drop for InLine<'_> {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Release);
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
                turn = self.turn(lane) => turn.map(Seat::Free),
                promised = self.promised(lane) => Some(Seat::Promised(promised)),
                () = finish.cancelled() => return Ok(()),
            };
            let Some(first) = first else { return Ok(()) };
            self.gather().await;
            // Whoever waits for a permit comes first: none is free then.
            let free = || {
                let place = lane.try_place()?;
                Some(Seat::Free(lane.turn(place, self.bulkhead.try_acquire()?)))
            };
            let more = || free().or_else(|| self.try_promised(lane).map(Seat::Promised));
            let seats: Vec<_> = std::iter::once(first).chain(std::iter::from_fn(more)).collect();
            let asked = seats.len();
            if self.begin_all(lane.queue().clone(), seats).await? < asked {
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
        let line = lane.line_up();
        let acquired = self.bulkhead.acquire().await;
        drop(line);
        match acquired {
            Ok(permit) => Some(lane.turn(place, permit)),
            Err(refused) => {
                if refused != Refused::Closed {
                    tracing::debug!(queue = %lane.queue(), %refused, "its work stays unclaimed");
                }
                None
            }
        }
    }

    /// Waits for a turn that comes free soon and that nobody else stands in line for.
    async fn promised(&self, lane: &OpenLane) -> oneshot::Receiver<Turn> {
        let Some(promises) = &lane.promises else { return std::future::pending().await };
        loop {
            if let Some(promised) = self.try_promised(lane) {
                return promised;
            }
            promises.news().await;
        }
    }

    /// A turn that comes free soon and that nobody else stands in line for.
    fn try_promised(&self, lane: &OpenLane) -> Option<oneshot::Receiver<Turn>> {
        let own = usize::from(lane.in_line.load(Ordering::Acquire));
        let alone = self.bulkhead.waiting() <= own && !self.stop.is_cancelled();
        lane.promises.as_ref().filter(|_| alone)?.take()
    }

    /// Claims for these turns, and begins to run what comes. It happens completely even if nobody waits for
    /// it any more: a claim whose answer is not taken would be charged.
    async fn begin_all(
        self: &Arc<Self>,
        queue: QueueName,
        seats: Vec<Seat>,
    ) -> Result<usize, Error> {
        let core = Arc::clone(self);
        let claiming = self.tracker.spawn(async move {
            let jobs = core.claim(&queue, Scope::Queue(queue.clone()), seats).await?;
            let begun = jobs.len();
            for run in core.begin_each(jobs) {
                core.tracker.spawn(run);
            }
            Ok(begun)
        });
        // It panics nowhere; should it all the same, its turns are free again.
        claiming.await.unwrap_or(Ok(0))
    }
}
