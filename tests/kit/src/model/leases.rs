//! The lease protocol.

use std::collections::BTreeSet;

use async_trait::async_trait;
use koinon_domain::{Generation, JobId, QueueName, State};
use koinon_store::{
    Beat, Claim, ClaimRequest, Claimed, Commit, Error, Fenced, HeartbeatRequest, Hint, Hints,
    HoldState, LeaseStore, Loaded, Peek, PeekRequest, RecoverRequest, Recovered, Run, Signal,
    decide,
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
        self.claim_beside(request, &BTreeSet::new())
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
        let due = self.recover_due(request, &BTreeSet::new())?;
        let expired = self.recover_expired(request, &BTreeSet::new())?;
        let recovered = Recovered { due: due.due, ..expired };
        self.hint(Hint::of_recovered(&recovered));
        Ok(recovered)
    }

    fn hints(&self) -> Hints {
        self.hints.hints()
    }
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
