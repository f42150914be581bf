//! The right to run one root operation.

use std::fmt;
use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, watch};

use crate::Root;

/// The right to run one root operation; dropping it ends the root and gives the place back.
///
/// A job's permit is kept through execution and settlement. The place goes to the caller that has
/// waited longest. A panic that unwinds through the owner gives it back like any other drop.
#[must_use = "dropping the permit ends the root and gives the place back"]
pub struct Permit {
    // Fields are dropped in this order. The root ends before its place is free, so that at no
    // moment a nested call of this root and the next root are both let in by one place; and the
    // place is free before the root is counted as gone, so that `drained` finds every permit back.
    alive: watch::Sender<()>,
    _place: OwnedSemaphorePermit,
    _active: Active,
}

impl Permit {
    pub(crate) fn new(place: OwnedSemaphorePermit, active: Active) -> Self {
        Self { alive: watch::Sender::new(()), _place: place, _active: active }
    }

    /// The same place for another root, which needs not wait for it: this root ends now.
    pub fn pass_on(self) -> Self {
        let Self { alive, _place, _active } = self;
        drop(alive);
        Self { alive: watch::Sender::new(()), _place, _active }
    }

    /// A weak handle on this root, for the calls that are made inside it.
    #[must_use]
    pub fn root(&self) -> Root {
        Root::new(self.alive.subscribe())
    }
}

impl fmt::Debug for Permit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Permit").finish_non_exhaustive()
    }
}

/// Counts one active root for as long as it lives.
pub(crate) struct Active(Arc<watch::Sender<usize>>);

impl Active {
    pub(crate) fn count_in(roots: &Arc<watch::Sender<usize>>) -> Self {
        roots.send_modify(|active| *active += 1);
        Self(Arc::clone(roots))
    }
}

impl Drop for Active {
    fn drop(&mut self) {
        self.0.send_modify(|active| *active -= 1);
    }
}
