//! The mutable part of a job: one narrow row.

use koinon_budget::{Axis, Balance, Limits, Mark};
use koinon_domain::{
    Attempt, CommitNo, EventSeq, Failed, Generation, JobId, Priority, Progress, QueueName, State,
    TenantId, Timestamp, WorkerId,
};

use crate::Manifest;

/// What changes about a job while it lives, and what outlives its end.
///
/// Adapters keep it in `runs` until the job ends and in `outcomes` afterwards.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// The job.
    pub job: JobId,
    /// Who owns it.
    pub tenant: TenantId,
    /// Where it waits.
    pub queue: QueueName,
    /// How urgent it is.
    pub priority: Priority,
    /// Where it stands.
    pub state: State,
    /// The fencing number.
    pub generation: Generation,
    /// How many claims were charged.
    pub attempt: Attempt,
    /// How many claims may be charged.
    pub max_attempts: u32,
    /// Since when it is ready, or when it will be.
    pub ready_at: Timestamp,
    /// Who holds it.
    pub lease: Option<Lease>,
    /// What happened to its claims so far.
    pub streaks: Streaks,
    /// The last event that was written.
    pub event_seq: EventSeq,
    /// The last commit that was applied.
    pub last_commit: Option<(Generation, CommitNo)>,
    /// What it may spend.
    pub limits: Limits,
    /// What it has spent, reserved and in doubt.
    pub balance: Balance,
    /// How many holds of the present claim are open.
    pub open_holds: u32,
    /// Which marks of its limits were told.
    pub warned: Warned,
    /// How far it is.
    pub progress: Option<Progress>,
    /// Why it failed, waits or is paused.
    pub failed: Option<Failed>,
    /// Since when recovery leaves it alone, because its row could not be recovered.
    pub set_aside_at: Option<Timestamp>,
    /// What it produced; only once it has succeeded.
    pub manifest: Option<Manifest>,
    /// When it ended.
    pub ended_at: Option<Timestamp>,
}

/// The stored, time-limited right of one worker to write for a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lease {
    /// The worker.
    pub owner: WorkerId,
    /// Until when, by the database's clock.
    pub expires_at: Timestamp,
    /// Up to when the run time has been counted.
    pub counted_to: Timestamp,
}

/// Counts of what happened to a job's claims.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Streaks {
    /// Leases that expired.
    pub lease_losses: u32,
    /// Leases that expired since the last new checkpoint.
    pub losses_without_checkpoint: u32,
    /// Claims that a drain handed back.
    pub interruptions: u32,
    /// Whether the present claim has stored a checkpoint.
    pub checkpointed: bool,
}

/// Which marks have been told, so that each is told once for each limit value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Warned {
    /// The axes (see [`Axis::bit`]) whose 80 % mark was told.
    pub percent_80: u8,
    /// The axes whose 100 % mark was told.
    pub percent_100: u8,
}

impl Warned {
    /// Remembers that a mark was told; `false` if it had been told before.
    pub const fn tell(&mut self, axis: Axis, mark: Mark) -> bool {
        let set = match mark {
            Mark::Percent80 => &mut self.percent_80,
            Mark::Percent100 => &mut self.percent_100,
        };
        let fresh = *set & axis.bit() == 0;
        *set |= axis.bit();
        fresh
    }

    /// Forgets the marks of an axis, because its limit has changed.
    pub const fn forget(&mut self, axis: Axis) {
        self.percent_80 &= !axis.bit();
        self.percent_100 &= !axis.bit();
    }
}
