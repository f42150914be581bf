//! One look at the store each tick: what is ready, due, expired, ticking or signalled.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use koinon_domain::QueueName;
use koinon_store::{Error, Peek, PeekRequest, RecoverRequest};

use super::hinted::Hinted;
use super::{Core, within};
use crate::committer::FULL_FOR;

/// So many rows of each kind one sweep takes at the most.
const SWEEP_MAX: u32 = 100;

/// How long a look may take.
const LOOK_FOR: Duration = Duration::from_secs(5);

/// Looks at the store once a tick, and earlier when somebody wakes it, a hint comes, a retry comes due or a
/// schedule ticks, until the worker is closed.
pub(super) async fn pulse(core: Arc<Core>, queues: Vec<QueueName>) {
    let request = PeekRequest { owner: core.id, queues };
    let mut hinted = Hinted::new(core.services.leases.hints());
    let (mut full_since, mut is_cut_off) = (None, false);
    loop {
        let mut wait = core.config.tick;
        let now = core.services.clock.monotonic();
        let Some(looked) = core.unless_closed(core.look(&request)).await else { return };
        match looked {
            Ok(peek) => {
                full_since = None;
                if !core.reached.swap(true, Ordering::AcqRel) && is_cut_off {
                    tracing::info!("the store answers again");
                }
                is_cut_off = false;
                if let Some(due_at) = peek.next_due_at {
                    wait = wait.min(due_at.since(peek.now) + Duration::from_millis(1));
                }
                if let Some(tick_at) = peek.next_tick_at {
                    wait = wait.min(tick_at.since(peek.now) + Duration::from_millis(1));
                }
                if peek.due || peek.expired || peek.tick_due {
                    // A full sweep has more behind it, and what it queued is ready now.
                    wait = Duration::from_millis(10);
                }
                core.peeked.send_replace(peek);
            }
            Err(error) => {
                core.reached.store(false, Ordering::Release);
                // Once for an outage; the looks that follow would say the same.
                if !std::mem::replace(&mut is_cut_off, true) {
                    tracing::warn!(%error, "the store could not be looked at");
                }
                let is_full = matches!(error, Error::Full(_));
                if is_full && now.saturating_sub(*full_since.get_or_insert(now)) >= FULL_FOR {
                    // Whoever drives a job waits for a look: a disk that stays full would keep them.
                    core.note_trouble(&error.into());
                    core.peeked.send_modify(|_| {});
                }
            }
        }
        tokio::select! {
            go_on = core.pause(wait) => if !go_on { return },
            () = core.wake.notified() => {}
            () = hinted.look(&core, &request.queues) => {}
        }
    }
}

impl Core {
    async fn look(&self, request: &PeekRequest) -> Result<Peek, koinon_store::Error> {
        let peek = within(LOOK_FOR, self.services.leases.peek(request)).await?;
        for (job, generation, signal) in &peek.signals {
            if let Some(held) = self.held.get(*job, *generation) {
                held.obey(*signal);
            }
        }
        if (peek.due || peek.expired) && !self.stop.is_cancelled() {
            let swept = self.services.leases.recover(&RecoverRequest { limit: SWEEP_MAX }).await?;
            for job in &swept.expired {
                tracing::warn!(%job, "its lease had expired: it was taken from its worker");
            }
            for job in &swept.set_aside {
                tracing::error!(%job, "its row cannot be recovered: it was set aside");
            }
        }
        if peek.tick_due && !self.stop.is_cancelled() {
            self.fire_schedules().await?;
        }
        Ok(peek)
    }
}
