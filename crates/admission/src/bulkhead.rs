//! The bulkhead itself: places, the line in front of them, and closing.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};

use crate::permit::Active;
use crate::{Limits, Permit, Refused};

/// Lets at most [`Limits::capacity`] root operations run at once; the others wait in the order in
/// which they came. Clones share the same places.
#[derive(Debug, Clone)]
pub struct Bulkhead {
    limits: Limits,
    places: Arc<Semaphore>,
    waiting: Arc<AtomicUsize>,
    active: Arc<watch::Sender<usize>>,
}

impl Bulkhead {
    /// An open bulkhead with all its places free.
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        Self {
            limits,
            places: Arc::new(Semaphore::new(limits.capacity())),
            waiting: Arc::new(AtomicUsize::new(0)),
            active: Arc::new(watch::Sender::new(0)),
        }
    }

    /// Takes a place, or waits for one behind everyone who waits already.
    ///
    /// # Errors
    ///
    /// [`Refused::Full`] at once when [`Limits::max_waiters`] callers wait already;
    /// [`Refused::TimedOut`] after [`Limits::wait_timeout`] without a place; [`Refused::Closed`]
    /// once [`Bulkhead::close`] was called, also while waiting.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future leaves the line. A waiter that had been given a place and had not yet
    /// run passes it on to the next one; asking again starts at the end of the line.
    pub async fn acquire(&self) -> Result<Permit, Refused> {
        // The semaphore hands a freed place to the head of its line without making it available
        // in between, so this takes a place only where nobody waits.
        if let Ok(place) = Arc::clone(&self.places).try_acquire_owned() {
            return self.admit(place);
        }
        if self.places.is_closed() {
            return Err(Refused::Closed);
        }
        let _waiting = Waiting::join(&self.waiting, self.limits.max_waiters())?;
        let turn = Arc::clone(&self.places).acquire_owned();
        match tokio::time::timeout(self.limits.wait_timeout(), turn).await {
            Ok(Ok(place)) => self.admit(place),
            Ok(Err(_)) => Err(Refused::Closed),
            Err(_) => Err(Refused::TimedOut),
        }
    }

    /// Takes a place if one is free and nobody waits for it.
    #[must_use]
    pub fn try_acquire(&self) -> Option<Permit> {
        let place = Arc::clone(&self.places).try_acquire_owned().ok()?;
        self.admit(place).ok()
    }

    /// How many places are free, that is neither held nor promised to a waiter. It is a moment's
    /// number: by the time it is used it may be another.
    #[must_use]
    pub fn available(&self) -> usize {
        self.places.available_permits()
    }

    /// How many callers wait for a place. It is a moment's number, too.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.waiting.load(Ordering::Acquire)
    }

    /// How many roots may run at once.
    #[must_use]
    pub const fn capacity(&self) -> usize {
        self.limits.capacity()
    }

    /// Refuses new roots and everyone who waits, from now on. Active roots keep their permits, and
    /// nested calls inside them are still let in. Closing twice is the same as closing once.
    pub fn close(&self) {
        self.places.close();
    }

    /// Waits until no root is active. After [`Bulkhead::close`] this is final: every permit is back
    /// and none will be given out. On an open bulkhead it tells of a moment only.
    ///
    /// # Cancel safety
    ///
    /// Nothing is lost when the future is dropped.
    pub async fn drained(&self) {
        let mut active = self.active.subscribe();
        // This bulkhead owns the sender, so the wait ends in no other way than by the count.
        let ended = active.wait_for(|active| *active == 0).await.map(drop);
        debug_assert!(ended.is_ok());
    }

    /// Counts the root in, and only then looks whether the bulkhead was closed meanwhile: either
    /// `drained` sees the root, or the root sees that the bulkhead is closed.
    fn admit(&self, place: OwnedSemaphorePermit) -> Result<Permit, Refused> {
        let permit = Permit::new(place, Active::count_in(&self.active));
        if self.places.is_closed() { Err(Refused::Closed) } else { Ok(permit) }
    }
}

/// A caller's place in the count of those who wait.
struct Waiting(Arc<AtomicUsize>);

impl Waiting {
    fn join(waiting: &Arc<AtomicUsize>, max_waiters: usize) -> Result<Self, Refused> {
        waiting
            .fetch_update(Ordering::AcqRel, Ordering::Acquire, |waiters| {
                (waiters < max_waiters).then_some(waiters + 1)
            })
            .map(|_| Self(Arc::clone(waiting)))
            .map_err(|_| Refused::Full)
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_root_that_is_counted_in_after_the_drain_is_refused() {
        let bulkhead = Bulkhead::new(Limits::default());
        // The caller stands between taking the place and counting itself in.
        let place = Arc::clone(&bulkhead.places).try_acquire_owned().unwrap();
        bulkhead.close();
        bulkhead.drained().await;

        assert_eq!(bulkhead.admit(place).unwrap_err(), Refused::Closed);
        assert_eq!(bulkhead.available(), 1);
    }
}
