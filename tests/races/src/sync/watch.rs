//! The channel of `shuttle-tokio`, with a point before each operation at which another task may come in. By itself it
//! has none where tokio's has one atomic operation, and two of those in a row would look like one.

use shuttle::sync::atomic::{AtomicBool, Ordering};
use shuttle_tokio::sync::watch::{self, error::RecvError};

pub use shuttle_tokio::sync::watch::Ref;

/// The end that sends.
#[derive(Debug)]
pub struct Sender<T>(watch::Sender<T>);

/// The end that looks.
#[derive(Debug)]
pub struct Receiver<T>(watch::Receiver<T>);

impl<T> Sender<T> {
    /// A channel without a receiver yet.
    pub fn new(first: T) -> Self {
        Self(watch::channel(first).0)
    }

    /// One more receiver; what is there now it has seen.
    pub fn subscribe(&self) -> Receiver<T> {
        step();
        Receiver(self.0.subscribe())
    }

    /// Changes what is there, and wakes every receiver.
    pub fn send_modify(&self, change: impl FnOnce(&mut T)) {
        step();
        self.0.send_modify(change);
    }
}

impl<T> Drop for Sender<T> {
    fn drop(&mut self) {
        step();
    }
}

impl<T> Receiver<T> {
    /// Whether there is something new; an error once the sender is gone.
    ///
    /// # Errors
    ///
    /// If the sender is gone.
    pub fn has_changed(&self) -> Result<bool, RecvError> {
        step();
        self.0.has_changed()
    }

    /// Waits for something new.
    ///
    /// # Errors
    ///
    /// If the sender is gone.
    pub async fn changed(&mut self) -> Result<(), RecvError> {
        step();
        self.0.changed().await
    }

    /// Waits until what is there is as `wanted`.
    ///
    /// # Errors
    ///
    /// If the sender is gone.
    pub async fn wait_for(
        &mut self,
        wanted: impl FnMut(&T) -> bool,
    ) -> Result<Ref<'_, T>, RecvError> {
        step();
        self.0.wait_for(wanted).await
    }
}

impl<T> Clone for Receiver<T> {
    fn clone(&self) -> Self {
        step();
        Self(self.0.clone())
    }
}

/// The scheduler may let another task in before each operation on an atomic of its own.
fn step() {
    AtomicBool::new(false).load(Ordering::SeqCst);
}
