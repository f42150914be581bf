//! Queues as a whole.

use std::collections::BTreeMap;
use std::time::Duration;

use async_trait::async_trait;
use koinon_domain::{ErrorCode, QueueName, State, TenantId, Timestamp};
use koinon_store::{COUNT_MAX, Error, QueueBacklog, QueueStore, Run, Running, RunningLimits};

use super::ModelStore;
use super::rows::Rows;

#[async_trait]
impl QueueStore for ModelStore {
    async fn backlog(
        &self,
        queues: &[(QueueName, RunningLimits)],
    ) -> Result<Vec<QueueBacklog>, Error> {
        let (rows, now) = self.begin();
        let mut found: BTreeMap<QueueName, QueueBacklog> = BTreeMap::new();
        let living = rows.runs.values().filter(|run| !run.state.is_terminal());
        let ticks = rows.schedules.values().filter_map(|one| Some((one, one.next_at?)));
        let ticking = ticks.filter(|(_, tick_at)| *tick_at <= now);
        let named = queues.iter().map(|(name, _)| name).chain(rows.paused_queues.keys());
        let named = named.chain(ticking.clone().map(|(schedule, _)| &schedule.template.queue));
        let names = named.chain(living.clone().map(|run| &run.queue));
        for queue in names {
            let paused_at = rows.paused_queues.get(queue).copied();
            let empty = || QueueBacklog { paused_at, ..QueueBacklog::empty(queue.clone()) };
            found.entry(queue.clone()).or_insert_with(empty);
        }
        for run in living {
            if let Some(backlog) = found.get_mut(&run.queue) {
                count(backlog, run, now);
            }
        }
        for (schedule, tick_at) in ticking {
            if let Some(backlog) = found.get_mut(&schedule.template.queue) {
                count_ready(backlog, tick_at, now);
            }
        }
        for (queue, limits) in queues {
            if let Some(backlog) = found.get_mut(queue) {
                limit(backlog, *limits, &rows, now);
            }
        }
        Ok(found.into_values().collect())
    }

    async fn running(&self, queue: &QueueName) -> Result<Running, Error> {
        Ok(self.rows().running(queue))
    }

    async fn pause(&self, queue: &QueueName) -> Result<bool, Error> {
        let (mut rows, now) = self.begin();
        if rows.paused_queues.contains_key(queue) {
            return Ok(false);
        }
        rows.paused_queues.insert(queue.clone(), now);
        Ok(true)
    }

    async fn resume(&self, queue: &QueueName) -> Result<bool, Error> {
        let (mut rows, _) = self.begin();
        Ok(rows.paused_queues.remove(queue).is_some())
    }
}

fn count(backlog: &mut QueueBacklog, run: &Run, now: Timestamp) {
    if is_ready(run, now) {
        return count_ready(backlog, run.ready_at, now);
    }
    let place = place(backlog, run);
    *place = (*place + 1).min(COUNT_MAX);
}

/// What is ready since some instant, or will be as soon as a worker looks.
fn count_ready(backlog: &mut QueueBacklog, since: Timestamp, now: Timestamp) {
    if backlog.paused_at.is_some() {
        backlog.paused = (backlog.paused + 1).min(COUNT_MAX);
        return;
    }
    backlog.ready = (backlog.ready + 1).min(COUNT_MAX);
    let age = u64::try_from(now.since(since).as_millis()).unwrap();
    backlog.oldest_ready_age = backlog.oldest_ready_age.max(Some(Duration::from_millis(age)));
}

/// Of what would be ready only so much is as claims would take now; the rest is blocked.
fn limit(backlog: &mut QueueBacklog, limits: RunningLimits, rows: &Rows, now: Timestamp) {
    if backlog.paused_at.is_some() || limits.is_none() {
        return;
    }
    let running = rows.running(&backlog.queue);
    let mut by_tenant = BTreeMap::<&TenantId, u32>::new();
    let due = |run: &&Run| {
        run.queue == backlog.queue && (run.state == State::Queued && is_ready(run, now))
    };
    for run in rows.runs.values().filter(due) {
        *by_tenant.entry(&run.tenant).or_default() += 1;
    }
    // What is not queued yet is ready whatever its tenant.
    let to_come = backlog.ready.saturating_sub(by_tenant.values().sum());
    let of_tenant = |(tenant, jobs): (&TenantId, u32)| jobs.min(limits.places_of(&running, tenant));
    let admitted: u32 = by_tenant.into_iter().map(of_tenant).sum();
    let claimable = (admitted + to_come).min(limits.places(&running)).min(COUNT_MAX);
    backlog.blocked = (backlog.blocked + backlog.ready - claimable).min(COUNT_MAX);
    backlog.ready = claimable;
    if claimable == 0 {
        backlog.oldest_ready_age = None;
    }
}

fn place<'b>(backlog: &'b mut QueueBacklog, run: &Run) -> &'b mut u32 {
    if run.set_aside_at.is_some() {
        return &mut backlog.set_aside;
    }
    match run.state {
        State::Queued => &mut backlog.deferred,
        State::RetryWait => &mut backlog.retry,
        State::Paused if is_exhausted(run) => &mut backlog.blocked,
        State::Paused => &mut backlog.paused,
        State::Leased | State::Running | State::Pausing | State::Cancelling => &mut backlog.active,
        State::Succeeded | State::Failed | State::Cancelled => unreachable!("it has ended"),
    }
}

fn is_ready(run: &Run, now: Timestamp) -> bool {
    matches!(run.state, State::Queued | State::RetryWait)
        && run.set_aside_at.is_none()
        && run.ready_at <= now
}

fn is_exhausted(run: &Run) -> bool {
    run.failed.as_ref().is_some_and(|failed| failed.code == ErrorCode::BUDGET_EXHAUSTED)
}
