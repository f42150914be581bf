//! Nested calls: they run on the permit of their root, for as long as that root lives.

use tokio::sync::watch;

use crate::Refused;

/// A weak handle on a root operation. It travels with the work as an ordinary value, is cheap to
/// clone, and keeps neither the root nor its permit.
#[derive(Debug, Clone)]
pub struct Root {
    alive: watch::Receiver<()>,
}

/// Says that a nested call was let in on its root's permit.
///
/// It keeps nothing: when the root ends, its permit goes back at once, whatever nested calls are
/// still about, because no permit outlives its root. A nested call belongs inside the root's own
/// future, where it cannot outlive it. One that was detached all the same learns the end by
/// [`Nested::root_ended`], and a further [`Root::reuse`] is refused.
#[derive(Debug)]
#[must_use = "it says that a nested call may run, and when its root has ended"]
pub struct Nested {
    alive: watch::Receiver<()>,
}

impl Root {
    pub(crate) fn new(alive: watch::Receiver<()>) -> Self {
        Self { alive }
    }

    /// Lets a nested call run on this root's permit. It never waits and takes no second place, so
    /// it works at capacity 1, and while the bulkhead is closed and its active roots drain.
    ///
    /// # Errors
    ///
    /// [`Refused::RootEnded`] once the root's permit has been dropped.
    pub fn reuse(&self) -> Result<Nested, Refused> {
        match self.alive.has_changed() {
            Ok(_) => Ok(Nested { alive: self.alive.clone() }),
            Err(_) => Err(Refused::RootEnded),
        }
    }
}

impl Nested {
    /// Waits until the root has ended, so that detached work can stop with it.
    ///
    /// # Cancel safety
    ///
    /// Nothing is lost when the future is dropped.
    pub async fn root_ended(&self) {
        let mut alive = self.alive.clone();
        // Nothing is ever sent: the only change is that the permit, which is the sender, is gone.
        while alive.changed().await.is_ok() {}
    }
}
