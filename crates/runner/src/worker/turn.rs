//! Turns, and how one is promised to the next claim while the end of its run is being written.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use koinon_admission::Permit;
use tokio::sync::{Notify, OwnedSemaphorePermit, oneshot};

/// The right to run one job: its place in the lane, and a permit of the process.
#[derive(Debug)]
pub(crate) struct Turn {
    pub(crate) permit: Permit,
    /// A job that is driven by itself stands in no lane.
    place: Option<Place>,
}

/// A place in a lane.
#[derive(Debug)]
struct Place {
    _place: OwnedSemaphorePermit,
    /// `None` if the lane's next claim has to see the end of this run.
    promises: Option<Arc<Promises>>,
}

impl Turn {
    /// A turn outside of every lane.
    pub(super) const fn alone(permit: Permit) -> Self {
        Self { permit, place: None }
    }

    pub(super) fn in_lane(
        place: OwnedSemaphorePermit,
        permit: Permit,
        promises: Option<Arc<Promises>>,
    ) -> Self {
        Self { permit, place: Some(Place { _place: place, promises }) }
    }

    /// Promises this turn to the next claim of its lane; gives it back if nobody would take it.
    pub(crate) fn promise(self) -> Result<Promise, Self> {
        match self.place.as_ref().and_then(|place| place.promises.clone()) {
            Some(promises) => Ok(promises.make(self)),
            None => Err(self),
        }
    }

    /// The same turn for the next run.
    fn passed_on(self) -> Self {
        Self { permit: self.permit.pass_on(), ..self }
    }
}

/// A turn that a claim is made for.
#[derive(Debug)]
pub(crate) enum Seat {
    /// It is free.
    Free(Turn),
    /// It comes once the end of the run that has it is written.
    Promised(oneshot::Receiver<Turn>),
}

/// The turns of a lane that come free soon.
#[derive(Debug, Default)]
pub(super) struct Promises {
    made: Mutex<Made>,
    news: Notify,
}

#[derive(Debug, Default)]
struct Made {
    count: u64,
    /// Those that no claim has taken, the oldest first.
    open: BTreeMap<u64, oneshot::Receiver<Turn>>,
}

impl Promises {
    fn make(self: Arc<Self>, turn: Turn) -> Promise {
        let (give, promised) = oneshot::channel();
        let mut made = self.made();
        let number = made.count;
        made.count += 1;
        made.open.insert(number, promised);
        drop(made);
        self.news.notify_one();
        Promise { number, kept: Some((turn, give)), promises: self }
    }

    /// The oldest that no claim has taken.
    pub(super) fn take(&self) -> Option<oneshot::Receiver<Turn>> {
        Some(self.made().open.pop_first()?.1)
    }

    /// Waits until another one was made.
    pub(super) async fn news(&self) {
        self.news.notified().await;
    }

    fn made(&self) -> MutexGuard<'_, Made> {
        self.made.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The turn of a run whose end is being written. Dropping it says that this is over: the turn goes to the claim
/// that has taken it, or is free.
#[derive(Debug)]
pub(crate) struct Promise {
    number: u64,
    kept: Option<(Turn, oneshot::Sender<Turn>)>,
    promises: Arc<Promises>,
}

impl Drop for Promise {
    fn drop(&mut self) {
        let untaken = self.promises.made().open.remove(&self.number);
        if untaken.is_none()
            && let Some((turn, give)) = self.kept.take()
        {
            // A claim that found no job for it has gone; then the turn is free.
            drop(give.send(turn.passed_on()));
        }
    }
}
