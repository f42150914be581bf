//! Heartbeats: one statement for everything that the process holds.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use koinon_domain::{CommitNo, Generation, JobId};
use koinon_store::{Beat, Claimed, Commit, End, HeartbeatRequest};

use super::{Core, within};
use crate::Halt;
use crate::held::Held;

/// Renews the leases every quarter of their time until the worker is closed. A heartbeat that fails is
/// repeated soon; it stops no work by itself.
pub(super) async fn beat(core: Arc<Core>) {
    let every = core.config.lease_for / 4;
    let mut wait = every;
    while core.pause(wait).await {
        let Some(beaten) = core.unless_closed(core.beat_once()).await else { return };
        wait = match beaten {
            Ok(()) => every,
            Err(error) => {
                // Once for an outage; the tries that follow would say the same.
                if wait == every {
                    tracing::warn!(%error, "a heartbeat did not reach the store");
                }
                every / 4
            }
        };
    }
}

impl Core {
    async fn beat_once(&self) -> Result<(), koinon_store::Error> {
        let (now, flush_for) = (self.services.clock.monotonic(), self.config.flush_for);
        let (abandoned, kept): (Vec<_>, Vec<_>) =
            self.held.all().into_iter().partition(|held| held.is_overdue(now, flush_for));
        let looking = self.looking_for_claims.load(Ordering::Acquire);
        if kept.is_empty() && abandoned.is_empty() && looking == 0 {
            return Ok(());
        }
        let sent_at = now;
        let request = HeartbeatRequest {
            owner: self.id,
            held: kept.iter().map(pair).collect(),
            abandoned: abandoned.iter().map(pair).collect(),
            lease_for: self.config.lease_for,
        };
        let mut unknown = HashSet::new();
        // A connection that has died without a word must leave time for another try.
        let beats = self.services.leases.heartbeat(&request);
        let beats = within(self.config.lease_for / 2, beats).await?;
        for (job, generation, beat) in beats {
            match (beat, self.held.get(job, generation)) {
                (Beat::Held(signal), Some(held)) => {
                    held.renewed(sent_at);
                    held.obey(signal);
                }
                (Beat::Lost, Some(held)) => held.stop(Halt::LeaseLost),
                (Beat::Unknown, None) => {
                    unknown.insert((job, generation));
                }
                // It ended, or it was loaded, while the heartbeat was under way.
                (Beat::Held(_) | Beat::Lost, None) | (Beat::Unknown, Some(_)) => {}
            }
        }
        for (job, generation) in self.takes.lost(&unknown) {
            if let Err(error) = self.hand_back(job, generation).await {
                tracing::warn!(%job, %error, "a claim that nobody runs could not be handed back");
            }
        }
        self.looking_for_claims.fetch_sub(u8::from(looking > 0), Ordering::AcqRel);
        Ok(())
    }

    /// A claim got no answer, so it may have taken something: heartbeats ask about it for a while, even if
    /// nothing is held. A claim goes back at the second one that finds it.
    pub(crate) fn look_for_lost_claims(&self) {
        self.looking_for_claims.store(3, Ordering::Release);
    }

    /// Hands back a claim whose reply was lost.
    async fn hand_back(
        &self,
        job: JobId,
        generation: Generation,
    ) -> Result<(), koinon_store::Error> {
        let loaded = self.services.leases.load(&[Claimed { job, generation }]).await?;
        let Some(claim) = loaded.into_iter().next().transpose()?.flatten() else { return Ok(()) };
        let commit = Commit {
            job,
            tenant: claim.spec.tenant,
            owner: self.id,
            generation,
            commit_no: CommitNo::new(1),
            lease_for: self.config.lease_for,
            started: false,
            items_started: 0,
            holds: Vec::new(),
            hold_ends: Vec::new(),
            checkpoints: Vec::new(),
            progress: None,
            notes: Vec::new(),
            end: Some(End::HandedBack { wait: Duration::ZERO, interrupted: false }),
        };
        // Stale means that somebody else has it by now, which is as good.
        let _answer = self.services.leases.commit(commit).await?;
        tracing::warn!(%job, %generation, "a claim that nobody runs was handed back");
        Ok(())
    }
}

fn pair(held: &Arc<Held>) -> (JobId, Generation) {
    (held.job, held.generation)
}
