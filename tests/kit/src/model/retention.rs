//! What has ended goes after a while.

use std::time::Duration;

use async_trait::async_trait;
use koinon_domain::{DatabaseId, Digest, JobId, QueueName, State, Timestamp};
use koinon_store::{
    Error, NamesAfter, NamesPage, Old, OldCursor, OldPage, Pruned, RetentionStore, Run, Stored,
    digests_in,
};

use super::ModelStore;
use super::rows::Rows;

#[async_trait]
impl RetentionStore for ModelStore {
    async fn database_id(&self) -> Result<DatabaseId, Error> {
        Ok(DatabaseId::from_uuid(uuid::Uuid::nil()))
    }

    async fn ended_queues(&self) -> Result<Vec<QueueName>, Error> {
        let rows = self.rows();
        let ended = rows.runs.values().filter(|run| run.state.is_terminal());
        let queues: std::collections::BTreeSet<_> = ended.map(|run| run.queue.clone()).collect();
        Ok(queues.into_iter().collect())
    }

    async fn old_jobs(
        &self,
        old: &Old,
        after: Option<OldCursor>,
        limit: u32,
    ) -> Result<OldPage, Error> {
        let rows = self.rows();
        let now = rows.time.max(self.clock.now());
        let mut jobs = old_jobs(&rows, old, now);
        jobs.retain(|job| after.is_none_or(|after| *job > after));
        let is_full = jobs.len() >= limit as usize;
        jobs.truncate(limit as usize);
        let pruned = jobs.iter().map(|(_, job)| takes(&rows, *job));
        Ok(OldPage {
            pruned: pruned.fold(Pruned::default(), Pruned::plus),
            next: jobs.last().copied().filter(|_| is_full),
            jobs: jobs.into_iter().map(|(_, job)| job).collect(),
        })
    }

    async fn prune_jobs(&self, old: &Old, limit: u32) -> Result<Pruned, Error> {
        let (mut rows, now) = self.begin();
        let jobs = old_jobs(&rows, old, now);
        let mut pruned = Pruned::default();
        for (_, job) in jobs.into_iter().take(limit as usize) {
            pruned = pruned.plus(takes(&rows, job));
            rows.remove_job(job);
        }
        Ok(pruned)
    }

    async fn take_turn(&self, name: &'static str, every: Duration) -> Result<bool, Error> {
        let (mut rows, now) = self.begin();
        let is_free = rows.turns.get(name).is_none_or(|next_at| *next_at <= now);
        if is_free {
            rows.turns.insert(name, now.after(every));
        }
        Ok(is_free)
    }

    async fn held_since(&self) -> Result<Timestamp, Error> {
        let (rows, now) = self.begin();
        let held = rows.runs.values().filter(|run| run.state.is_held());
        let claimed = held.filter_map(|run| {
            let events = rows.events.get(&run.job)?;
            let claim = events.iter().rev().find(|one| one.to == Some(State::Leased))?;
            Some(claim.at)
        });
        Ok(claimed.chain([now]).min().unwrap_or(now))
    }

    async fn blob_names(&self, _after: &NamesAfter, _limit: u32) -> Result<NamesPage, Error> {
        let rows = self.rows();
        let mut names: Vec<(Option<JobId>, Digest)> = Vec::new();
        let mut add = |job: Option<JobId>, bytes: &[u8]| {
            names.extend(digests_in(bytes).map(|digest| (job, digest)));
        };
        for schedule in rows.schedules.values() {
            add(None, &schedule.template.payload);
        }
        for spec in rows.specs.values() {
            add(Some(spec.id), &spec.payload);
        }
        let manifests =
            rows.runs.iter().filter_map(|(job, run)| Some((job, run.manifest.as_ref()?)));
        for (job, manifest) in manifests {
            add(Some(*job), &manifest.summary);
            for artifact in &manifest.artifacts {
                add(Some(*job), artifact.digest.to_string().as_bytes());
            }
        }
        let mut stored = |job: JobId, stored: &Stored| match stored {
            Stored::Inline(bytes) => add(Some(job), bytes),
            Stored::Blob { digest, .. } => add(Some(job), digest.to_string().as_bytes()),
        };
        for (job, checkpoints) in &rows.checkpoints {
            checkpoints.iter().for_each(|one| stored(*job, &one.result));
        }
        for (job, entries) in &rows.ledger {
            entries.iter().filter_map(|one| one.answer.as_ref()).for_each(|one| stored(*job, one));
        }
        Ok(NamesPage { names, next: None })
    }
}

fn old_jobs(rows: &Rows, old: &Old, now: Timestamp) -> Vec<(Timestamp, JobId)> {
    let is_old = |run: &&Run| {
        run.queue == old.queue
            && run.state == old.state
            && run.balance.in_doubt.calls == 0
            && run.ended_at.is_some_and(|ended_at| ended_at.after(old.kept_for) < now)
    };
    let found = rows.runs.values().filter(is_old);
    let mut jobs: Vec<_> = found.filter_map(|run| Some((run.ended_at?, run.job))).collect();
    jobs.sort_unstable();
    jobs
}

fn takes(rows: &Rows, job: JobId) -> Pruned {
    let count = |rows: Option<usize>| rows.unwrap_or_default() as u64;
    Pruned {
        jobs: 1,
        events: count(rows.events.get(&job).map(Vec::len)),
        checkpoints: count(rows.checkpoints.get(&job).map(Vec::len)),
    }
}
