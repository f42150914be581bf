//! From where on ready work is looked for.
//!
//! A job that is claimed leaves an entry behind in the index of ready work, which a long transaction of
//! somebody else keeps there. A process remembers how far it has claimed, so that it does not pass all
//! those entries again at each claim.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use koinon_domain::{Priority, QueueName, Timestamp};

use crate::row::Instant;

/// After so long everything is looked at once: a job may have become ready behind the bound, because its
/// submission was slow to commit or another process gave it back.
const KEPT_FOR: Duration = Duration::from_secs(10);

/// There are so many priorities.
const PRIORITIES: usize = 10;

/// Earlier than anything.
const EVER: Timestamp = Timestamp::from_micros(i64::MIN);

/// The bounds of all queues that this process claims from.
#[derive(Debug, Default)]
pub(crate) struct Bounds(Mutex<HashMap<QueueName, Bound>>);

/// The bounds of a queue, by priority.
#[derive(Debug)]
struct Bound {
    since: Timestamp,
    /// Nothing that became ready earlier is looked at: the last job of the claim before the last one. Jobs
    /// that another claim had locked just then are behind it for a moment at the most.
    from: [Timestamp; PRIORITIES],
    /// The last job of the last claim.
    last: [Timestamp; PRIORITIES],
}

impl Bounds {
    /// From which instant on jobs of a queue are looked for, the highest priority first.
    pub(crate) fn of(&self, queue: &QueueName) -> Vec<Instant> {
        let bounds = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let from = bounds.get(queue).map_or([EVER; PRIORITIES], |bound| bound.from);
        from.into_iter().rev().map(Instant).collect()
    }

    /// Jobs of these priorities, ready since these instants, were claimed at `now`. A claim that found
    /// nothing ends the bound.
    pub(crate) fn claimed(
        &self,
        queue: &QueueName,
        found: &[(Priority, Timestamp)],
        now: Timestamp,
    ) {
        let mut bounds = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if found.is_empty() {
            bounds.remove(queue);
            return;
        }
        let fresh = || Bound { since: now, from: [EVER; PRIORITIES], last: [EVER; PRIORITIES] };
        let bound = bounds.entry(queue.clone()).or_insert_with(fresh);
        if now.since(bound.since) >= KEPT_FOR {
            *bound = fresh();
        }
        bound.from = bound.last;
        for (priority, ready_at) in found {
            if let Some(last) = bound.last.get_mut(usize::from(priority.get())) {
                *last = (*last).max(*ready_at);
            }
        }
    }

    /// A claim begins.
    pub(crate) const fn claiming(&self) -> Claiming<'_> {
        Claiming { bounds: Some(self) }
    }

    /// Looks at everything again: jobs became ready whose turn has passed.
    pub(crate) fn forget(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}

/// A claim that is under way. If it fails or its caller goes away, the jobs that it had locked are free again
/// while others of this process may have claimed later ones, so everything is looked at again.
#[derive(Debug)]
pub(crate) struct Claiming<'b> {
    bounds: Option<&'b Bounds>,
}

impl Claiming<'_> {
    /// It has ended well.
    pub(crate) fn done(mut self) {
        self.bounds = None;
    }
}

impl Drop for Claiming<'_> {
    fn drop(&mut self) {
        if let Some(bounds) = self.bounds {
            bounds.forget();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn at(micros: i64) -> Timestamp {
        Timestamp::from_micros(micros)
    }

    fn from(bounds: &Bounds, queue: &QueueName, priority: u8) -> Timestamp {
        bounds.of(queue)[PRIORITIES - 1 - usize::from(priority)].0
    }

    #[test]
    fn a_bound_trails_the_last_claim_and_ends_after_its_time_or_when_nothing_is_found() {
        let (bounds, queue) = (Bounds::default(), QueueName::try_new("report").unwrap());
        let five = Priority::try_new(5).unwrap();
        assert_eq!(from(&bounds, &queue, 5), EVER);
        bounds.claimed(&queue, &[(five, at(10)), (five, at(20))], at(100));
        assert_eq!(from(&bounds, &queue, 5), EVER);
        bounds.claimed(&queue, &[(five, at(30))], at(200));
        assert_eq!((from(&bounds, &queue, 5), from(&bounds, &queue, 6)), (at(20), EVER));
        bounds.claimed(&queue, &[], at(300));
        assert_eq!(from(&bounds, &queue, 5), EVER);
        bounds.claimed(&queue, &[(five, at(40))], at(400));
        bounds.claimed(&queue, &[(five, at(50))], at(500));
        assert_eq!(from(&bounds, &queue, 5), at(40));
        bounds.claimed(&queue, &[(five, at(60))], at(10_000_400));
        assert_eq!(from(&bounds, &queue, 5), EVER);
    }
}
