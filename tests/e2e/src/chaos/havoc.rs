//! The harm that is done, one thing after the other.

use std::time::Duration;

use tokio::time::Instant;

use super::database::Database;
use super::deck::{Deck, Harm};
use super::fleet::Fleet;
use super::plan::Plan;
use super::proxy::Cut;
use crate::kit::Kit;
use crate::seed::Seed;

/// The shortest and the longest time between two harms.
const BETWEEN: (Duration, Duration) = (Duration::from_millis(250), Duration::from_millis(1_000));

/// So often the workers are looked after.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// The harm that was done to workers that held a lease.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Done {
    pub(super) kills: usize,
    pub(super) stops: usize,
    pub(super) terminations: usize,
    pub(super) db_restarts: usize,
    pub(super) cuts: usize,
}

#[derive(Debug)]
pub(super) struct Havoc<'a> {
    plan: &'a Plan,
    kit: &'a Kit,
    database: &'a Database,
    seed: Seed,
    deck: Deck,
    done: Done,
}

impl<'a> Havoc<'a> {
    pub(super) fn new(plan: &'a Plan, kit: &'a Kit, database: &'a Database) -> Self {
        let deck = Deck::new(matches!(database, Database::Postgres(_)));
        let (seed, done) = (Seed::new(plan.seed), Done::default());
        Self { plan, kit, database, seed, deck, done }
    }

    /// Does harm until the time is over and enough was done.
    pub(super) async fn wreak(mut self, fleet: &mut Fleet) -> Done {
        let until = Instant::now() + self.plan.lasts;
        while !self.is_enough(until) {
            let (shortest, longest) = BETWEEN;
            let pause = shortest + self.seed.up_to(longest - shortest);
            look_after(fleet, self.kit, pause).await;
            let harm = self.deck.draw(&mut self.seed);
            // Nobody may hold a lease just now; then the card waits for somebody who does.
            while !self.is_enough(until) && !self.strike(fleet, harm).await {
                look_after(fleet, self.kit, LOOK_EVERY).await;
            }
        }
        fleet.release();
        self.done
    }

    fn is_enough(&self, until: Instant) -> bool {
        let Done { kills, stops, .. } = self.done;
        Instant::now() >= until && kills >= self.plan.kills && stops >= self.plan.stops
    }

    /// Does one harm to somebody who holds a lease; whether there was anybody.
    async fn strike(&mut self, fleet: &mut Fleet, harm: Harm) -> bool {
        let Ok(leases) = self.database.leases().await else { return false };
        let holders = fleet.holders(&leases);
        if holders.is_empty() {
            return false;
        }
        let at = holders[self.seed.index(holders.len())];
        let (is_done, count) = match harm {
            Harm::Kill => (fleet.kill(at), &mut self.done.kills),
            Harm::Stop => {
                // Long enough for another worker to have begun with the job.
                let time = self.plan.lease_for * 2 + self.seed.up_to(self.plan.lease_for * 2);
                (fleet.stop(at, time), &mut self.done.stops)
            }
            Harm::Terminate => (fleet.terminate(at), &mut self.done.terminations),
            Harm::Cut => {
                let how = if self.seed.below(2) == 0 { Cut::Now } else { Cut::Halfway };
                let is_done = fleet.cut(at, how);
                if self.seed.below(4) == 0 {
                    for other in (0..fleet.count()).filter(|other| *other != at) {
                        fleet.cut(other, how);
                    }
                }
                (is_done, &mut self.done.cuts)
            }
            Harm::RestartDatabase => (self.database.restart().await, &mut self.done.db_restarts),
        };
        *count += usize::from(is_done);
        is_done
    }
}

/// Mends the fleet for a while.
async fn look_after(fleet: &mut Fleet, kit: &Kit, time: Duration) {
    let until = Instant::now() + time;
    loop {
        fleet.mend(kit);
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return;
        }
        tokio::time::sleep(left.min(LOOK_EVERY)).await;
    }
}
