//! The lease protocol.

use std::cmp::Reverse;

use async_trait::async_trait;
use koinon_domain::{Generation, JobId, QueueName, State, Timestamp};
use koinon_store::{
    Beat, Claim, ClaimRequest, Claimed, Commit, Error, Fenced, HeartbeatRequest, Hint, Hints,
    HoldState, LeaseStore, Loaded, Peek, PeekRequest, RecoverRequest, Recovered, Run, Scope,
    Signal, decide,
};

use super::ModelStore;
use super::rows::Rows;

#[async_trait]
impl LeaseStore for ModelStore {
    async fn peek(&self, request: &PeekRequest) -> Result<Peek, Error> {
        let (rows, now) = self.begin();
        let ready = |queue: &QueueName| {
            rows.runs.values().any(|run| run.queue == *queue && rows.is_ready(run, now))
        };
        let waits = rows.runs.values().filter(|run| {
            run.state == State::RetryWait
                && run.set_aside_at.is_none()
                && request.queues.contains(&run.queue)
        });
        let held = rows.runs.values().filter(|run| run.set_aside_at.is_none());
        let next_tick_at = rows.schedules.values().filter_map(|schedule| schedule.next_at).min();
        Ok(Peek {
            ready: request.queues.iter().filter(|queue| ready(queue)).cloned().collect(),
            due: rows.runs.values().any(|run| Rows::is_due(run, now)),
            expired: rows.runs.values().any(|run| Rows::is_expired(run, now)),
            tick_due: next_tick_at.is_some_and(|next_at| next_at <= now),
            signals: rows.runs.values().filter_map(|run| asked_to_stop(run, request)).collect(),
            next_due_at: waits.map(|run| run.ready_at).min(),
            next_expiry_at: held.filter_map(|run| Some(run.lease?.expires_at)).min(),
            next_tick_at,
            now,
        })
    }

    async fn claim(&self, request: &ClaimRequest) -> Result<Vec<Claimed>, Error> {
        let (mut rows, now) = self.begin();
        let wanted = |run: &&Run| match &request.scope {
            Scope::Queue(queue) => run.queue == *queue,
            Scope::Job(job) => run.job == *job,
        };
        let ready = |run: &&Run| rows.is_ready(run, now);
        let mut found: Vec<Run> =
            rows.runs.values().filter(wanted).filter(ready).cloned().collect();
        found.sort_by_key(|run| (Reverse(run.priority), run.ready_at, run.job));
        let mut claimed = Vec::new();
        for run in found {
            if claimed.len() >= request.limit as usize {
                break;
            }
            if !request.running.admit(&rows.running(&run.queue), &run.tenant) {
                continue;
            }
            let changes = decide::claim(run, request.owner, request.lease_for, now)?;
            claimed.push(Claimed { job: changes.run.job, generation: changes.run.generation });
            rows.save(changes)?;
        }
        Ok(claimed)
    }

    async fn load(&self, claimed: &[Claimed]) -> Result<Vec<Loaded>, Error> {
        let rows = self.rows();
        let load = |one: &Claimed| {
            let holds = |run: &&Run| run.generation == one.generation && run.state.is_held();
            let run = rows.runs.get(&one.job).filter(holds)?;
            Some(Claim { spec: rows.spec(run.job)?.clone(), run: run.clone() })
        };
        let answer = |one: &Claimed| match load(one) {
            Some(claim) if rows.damaged.contains(&claim.run.job) => {
                Err(Error::Corrupt { what: "the row cannot be read".to_owned() })
            }
            claim => Ok(claim),
        };
        Ok(claimed.iter().map(answer).collect())
    }

    async fn heartbeat(
        &self,
        request: &HeartbeatRequest,
    ) -> Result<Vec<(JobId, Generation, Beat)>, Error> {
        let (mut rows, now) = self.begin();
        let mut beats = Vec::new();
        for (job, generation) in &request.held {
            let (changes, beat) = match rows.runs.get(job).cloned() {
                Some(run) => {
                    decide::heartbeat(run, request.owner, *generation, request.lease_for, now)
                }
                None => (None, Beat::Lost),
            };
            if let Some(changes) = changes {
                rows.save(*changes)?;
            }
            beats.push((*job, *generation, beat));
        }
        for (job, generation) in &request.abandoned {
            let keeps = |run: &Run| {
                run.generation == *generation
                    && run.lease.is_some_and(|lease| lease.owner == request.owner)
            };
            if !rows.runs.get(job).is_some_and(keeps) {
                beats.push((*job, *generation, Beat::Lost));
            }
        }
        for run in rows.runs.values() {
            let owned = run.lease.is_some_and(|lease| lease.owner == request.owner);
            let pair = (run.job, run.generation);
            if owned && !request.held.contains(&pair) && !request.abandoned.contains(&pair) {
                beats.push((run.job, run.generation, Beat::Unknown));
            }
        }
        Ok(beats)
    }

    async fn commit(&self, commit: Commit) -> Result<Fenced<Signal>, Error> {
        let (mut rows, now) = self.begin();
        let Some(run) = rows.runs.get(&commit.job).cloned() else { return Ok(Fenced::Stale) };
        let ended = |id| commit.hold_ends.iter().any(|end| end.id == id);
        let mut holds = rows.holds(commit.job);
        holds.retain(|hold| {
            ended(hold.id) || (commit.ends_claim() && hold.state == HoldState::Open)
        });
        let answered = holds.iter().filter(|hold| rows.is_answered(run.job, &hold.call));
        let answered = answered.map(|hold| hold.id).collect();
        let hint = Hint::of_commit(&commit);
        match decide::commit(decide::Locked { run, holds, answered }, commit, now)? {
            Fenced::Applied(decide::Decision::Repeated(signal)) => Ok(Fenced::Applied(signal)),
            Fenced::Applied(decide::Decision::Apply(changes, signal)) => {
                rows.save(*changes)?;
                self.hint(hint);
                Ok(Fenced::Applied(signal))
            }
            Fenced::Stale => Ok(Fenced::Stale),
            Fenced::Refused(refusal) => Ok(Fenced::Refused(refusal)),
        }
    }

    async fn recover(&self, request: &RecoverRequest) -> Result<Recovered, Error> {
        let (mut rows, now) = self.begin();
        let limit = request.limit as usize;
        let mut recovered = Recovered::default();
        for run in first(&rows, limit, |run| Rows::is_due(run, now).then_some(run.ready_at)) {
            recovered.due.push(run.job);
            rows.save(decide::due(run, now)?)?;
        }
        let expired = |run: &Run| {
            let lease = run.lease.filter(|_| Rows::is_expired(run, now));
            lease.map(|lease| lease.expires_at)
        };
        for run in first(&rows, limit, expired) {
            let job = run.job;
            if rows.damaged.contains(&job) {
                rows.save(decide::set_aside(run, "the row cannot be read", now))?;
                recovered.set_aside.push(job);
                continue;
            }
            let open = rows.holds(job).into_iter().filter(|hold| hold.state == HoldState::Open);
            let open: Vec<_> = open.collect();
            rows.save(decide::expired(run, &open, now)?)?;
            recovered.expired.push(job);
        }
        self.hint(Hint::of_recovered(&recovered));
        Ok(recovered)
    }

    fn hints(&self) -> Hints {
        self.hints.hints()
    }
}

/// The first so many runs by the instant that `at` gives, then by id.
fn first(rows: &Rows, limit: usize, at: impl Fn(&Run) -> Option<Timestamp>) -> Vec<Run> {
    let mut found: Vec<_> =
        rows.runs.values().filter_map(|run| Some((at(run)?, run.job, run.clone()))).collect();
    found.sort_by_key(|(at, job, _)| (*at, *job));
    found.truncate(limit);
    found.into_iter().map(|(_, _, run)| run).collect()
}

fn asked_to_stop(run: &Run, request: &PeekRequest) -> Option<(JobId, Generation, Signal)> {
    run.lease.filter(|lease| lease.owner == request.owner)?;
    let signal = match run.state {
        State::Pausing => Signal::Pause,
        State::Cancelling => Signal::Cancel,
        State::Queued
        | State::Leased
        | State::Running
        | State::RetryWait
        | State::Paused
        | State::Succeeded
        | State::Failed
        | State::Cancelled => return None,
    };
    Some((run.job, run.generation, signal))
}
