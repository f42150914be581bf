//! What a worker does when the store hints at work: at most one thing at a time, and not too often.

use std::sync::atomic::Ordering;
use std::time::Duration;

use koinon_domain::QueueName;
use koinon_store::{Hint, Hints};

use super::Core;

/// The time between two hints that are followed. Each hint that brings nothing doubles it.
const SHORTEST: Duration = Duration::from_millis(2);
const LONGEST: Duration = Duration::from_millis(100);

/// Follows hints.
#[derive(Debug)]
pub(super) struct Hinted {
    hints: Hints,
    /// When the last one was followed, on the monotonic clock.
    followed_at: Option<Duration>,
    gap: Duration,
    /// How many claims had brought something by then.
    claims: u64,
}

impl Hinted {
    pub(super) const fn new(hints: Hints) -> Self {
        Self { hints, followed_at: None, gap: SHORTEST, claims: 0 }
    }

    /// Ends when a hint makes a look worth while. A worker of one queue claims at once, without a look. One
    /// that has no use for a hint passes it by: when one of its jobs ends it looks anyway.
    ///
    /// # Cancel safety
    ///
    /// No hint is lost, and the time between two is kept.
    pub(super) async fn look(&mut self, core: &Core, queues: &[QueueName]) {
        loop {
            self.wait(core).await;
            let hint = self.hints.next().await;
            let is_of_use = match hint {
                // A claim that is under way holds permits too, and may have missed what this is about.
                Hint::Ready => core.held.count() < core.capacity,
                Hint::Signal => core.held.count() > 0,
            };
            if !is_of_use {
                continue;
            }
            self.follow(core);
            if hint == Hint::Signal || queues.len() != 1 {
                return;
            }
            core.peeked.send_modify(|peek| peek.ready = queues.to_vec());
        }
    }

    async fn wait(&self, core: &Core) {
        let Some(at) = self.followed_at else { return };
        let since = core.services.clock.monotonic().saturating_sub(at);
        tokio::time::sleep(self.gap.saturating_sub(since)).await;
    }

    fn follow(&mut self, core: &Core) {
        let now = core.services.clock.monotonic();
        let claims = core.claims.load(Ordering::Relaxed);
        let since = self.followed_at.map_or(Duration::MAX, |at| now.saturating_sub(at));
        self.gap = if claims != self.claims || since >= core.config.tick {
            SHORTEST
        } else {
            (self.gap * 2).min(LONGEST)
        };
        (self.claims, self.followed_at) = (claims, Some(now));
    }
}
