//! Submitting, reading and steering jobs.

use std::cmp::Reverse;

use async_trait::async_trait;
use koinon_domain::{Event, EventSeq, JobId, StageName, State, TenantId, Timestamp};
use koinon_store::{
    ControlAnswer, ControlRequest, Controlled, Error, Hint, IfExists, JobCursor, JobFilter,
    JobStatus, JobStore, Listed, StoredCheckpoint, Submission, Submitted, decide,
};

use super::ModelStore;
use super::rows::{Rows, invalid};

#[async_trait]
impl JobStore for ModelStore {
    async fn submit(&self, jobs: Vec<Submission>) -> Result<Vec<Submitted>, Error> {
        decide::check(&jobs)?;
        let (mut rows, now) = self.begin();
        let answers = submit(&mut rows, jobs, now)?;
        self.hint(Hint::of_submitted(&answers));
        Ok(answers)
    }

    async fn job(&self, tenant: &TenantId, job: JobId) -> Result<Option<JobStatus>, Error> {
        let rows = self.rows();
        Ok(rows
            .run(tenant, job)
            .and_then(|run| Some(JobStatus { spec: rows.spec(job)?.clone(), run: run.clone() })))
    }

    async fn jobs(
        &self,
        tenant: &TenantId,
        filter: &JobFilter,
        after: Option<JobCursor>,
        limit: u32,
    ) -> Result<Vec<Listed>, Error> {
        let rows = self.rows();
        let mut found: Vec<JobStatus> = rows
            .specs
            .values()
            .filter_map(|spec| {
                Some(JobStatus { spec: spec.clone(), run: rows.runs.get(&spec.id)?.clone() })
            })
            .filter(|status| status.spec.tenant == *tenant && passes(filter, status))
            .filter(|status| {
                after.is_none_or(|cursor| place(status) < (cursor.submitted_at, cursor.id))
            })
            .collect();
        found.sort_by_key(|status| Reverse(place(status)));
        found.truncate(limit as usize);
        Ok(found.into_iter().map(|status| Listed::Job(Box::new(status))).collect())
    }

    async fn events(
        &self,
        tenant: &TenantId,
        job: JobId,
        after: EventSeq,
        limit: u32,
    ) -> Result<Vec<Event>, Error> {
        let rows = self.rows();
        if rows.run(tenant, job).is_none() {
            return Ok(Vec::new());
        }
        let all = rows.events.get(&job).into_iter().flatten();
        Ok(all.filter(|event| event.seq > after).take(limit as usize).cloned().collect())
    }

    async fn checkpoints(
        &self,
        job: JobId,
        stage: &StageName,
    ) -> Result<Vec<StoredCheckpoint>, Error> {
        let rows = self.rows();
        let all = rows.checkpoints.get(&job).into_iter().flatten();
        Ok(all.filter(|checkpoint| checkpoint.key.stage == *stage).cloned().collect())
    }

    async fn control(
        &self,
        tenant: &TenantId,
        job: JobId,
        request: ControlRequest,
    ) -> Result<ControlAnswer, Error> {
        let (mut rows, now) = self.begin();
        let Some(run) = rows.run(tenant, job).cloned() else {
            return Ok(ControlAnswer::NotFound);
        };
        let was_aside = run.set_aside_at.is_some();
        match decide::control(run, request, now)? {
            decide::ControlDecision::Apply(changes) => {
                let state = changes.run.state;
                if was_aside && changes.run.set_aside_at.is_none() {
                    rows.damaged.remove(&job);
                }
                rows.save(*changes)?;
                let answer = ControlAnswer::Done(Controlled { state, changed: true });
                self.hint(Hint::of_control(&answer));
                Ok(answer)
            }
            decide::ControlDecision::Already(state) => {
                Ok(ControlAnswer::Done(Controlled { state, changed: false }))
            }
            decide::ControlDecision::Refused(refusal) => Ok(ControlAnswer::Refused(refusal)),
        }
    }
}

/// Submits jobs, all or none.
pub(super) fn submit(
    rows: &mut Rows,
    jobs: Vec<Submission>,
    now: Timestamp,
) -> Result<Vec<Submitted>, Error> {
    let takes_a_used_id = |(index, one): (usize, &Submission)| {
        let other = |other: &Submission| {
            other.job.id == one.job.id && other.job.identity != one.job.identity
        };
        existing(rows, &one.job.tenant, &one.job.identity, one.if_exists).is_none()
            && (rows.spec(one.job.id).is_some() || jobs[..index].iter().any(other))
    };
    if jobs.iter().enumerate().any(takes_a_used_id) {
        return Err(invalid("another job has that id".to_owned()));
    }
    let mut answers = Vec::new();
    for Submission { job, if_exists } in jobs {
        if let Some(existing) = existing(rows, &job.tenant, &job.identity, if_exists) {
            answers.push(Submitted::Existing(existing));
            continue;
        }
        answers.push(Submitted::Created(job.id));
        let (spec, changes) = decide::submit(job, now);
        rows.add_job(spec);
        rows.save(changes)?;
    }
    Ok(answers)
}

/// The newest job of the identity, unless it is one that the submission replaces.
fn existing(
    rows: &Rows,
    tenant: &TenantId,
    identity: &koinon_domain::Digest,
    if_exists: IfExists,
) -> Option<JobId> {
    let newest = rows.newest(tenant, identity)?;
    let cancelled = rows.runs.get(&newest).is_some_and(|run| run.state == State::Cancelled);
    (if_exists == IfExists::Return || !cancelled).then_some(newest)
}

fn passes(filter: &JobFilter, status: &JobStatus) -> bool {
    let spec = &status.spec;
    filter.project.as_ref().is_none_or(|project| spec.project == *project)
        && filter.kind.as_ref().is_none_or(|kind| spec.kind == *kind)
        && filter.state.is_none_or(|state| status.run.state == state)
}

fn place(status: &JobStatus) -> (koinon_domain::Timestamp, JobId) {
    (status.spec.submitted_at, status.spec.id)
}
