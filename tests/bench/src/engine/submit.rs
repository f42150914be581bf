//! Taking jobs in, by the port of the store.

use std::sync::Arc;

use anyhow::ensure;
use koinon::domain::{JobId, Kind, Priority, ProjectId, QueueName};
use koinon::store::{Clock as _, IfExists, NewJob, Submission, SystemClock};
use koinon::{Koinon, budget::Limits, domain::Digest};
use tokio_util::task::TaskTracker;

use super::cost::Reading;
use super::floor::Slice;
use super::server::Scratch;
use super::size::Size;
use super::subject;

/// How many ask at the same time.
const CALLERS: usize = 16;

/// The input of a job that needs none; the floor stores the same.
pub(super) const PAYLOAD: &str = r#"{"n": 1, "to": "someone@example.com"}"#;

/// Measures how many jobs a second are taken in when each call brings so many.
pub(super) async fn measure(scratch: &Scratch, jobs: usize, size: Size) -> anyhow::Result<Slice> {
    let settings = subject::prepare(scratch).await?;
    let mut session = scratch.session().await?;
    let before = Reading::take(&mut session, scratch.postmaster).await?;
    let koinon = subject::open(&settings).await?;
    let templates = Templates::new(&koinon, "noop", PAYLOAD.to_owned(), Limits::default())?;
    let clock = SystemClock::new();
    let began = clock.monotonic();
    let callers = TaskTracker::new();
    let mut running = Vec::new();
    for _ in 0..CALLERS {
        let (koinon, templates, clock) = (koinon.clone(), templates.clone(), clock.clone());
        running.push(callers.spawn(async move {
            let mut taken = 0;
            while clock.monotonic() - began < size.slice() {
                taken += koinon.jobs().submit(templates.batch(jobs)).await?.len();
            }
            anyhow::Ok((taken, clock.monotonic() - began))
        }));
    }
    let (mut taken, mut took) = (0, std::time::Duration::ZERO);
    for caller in running {
        let (of_caller, until) = caller.await??;
        taken += of_caller;
        took = took.max(until);
    }
    koinon.close().await;
    let after = Reading::take(&mut session, scratch.postmaster).await?;
    ensure!(taken > 0, "no job was taken in");
    let done = u64::try_from(taken)?;
    Ok(Slice { per_s: subject::per_s(done, took), cost: before.cost_until(after, done) })
}

/// Lets jobs wait, so many of a kind.
pub(super) async fn fill(koinon: &Koinon, templates: &Templates, jobs: u64) -> anyhow::Result<()> {
    let callers = TaskTracker::new();
    let mut running = Vec::new();
    let share = jobs.div_ceil(4);
    for caller in 0..4 {
        let (koinon, templates) = (koinon.clone(), templates.clone());
        let mut left = share.min(jobs.saturating_sub(caller * share));
        running.push(callers.spawn(async move {
            while left > 0 {
                let now = left.min(1_000);
                koinon.jobs().submit(templates.batch(usize::try_from(now)?)).await?;
                left -= now;
            }
            anyhow::Ok(())
        }));
    }
    for caller in running {
        caller.await??;
    }
    Ok(())
}

/// Makes submissions of one kind, each a job of its own.
#[derive(Debug, Clone)]
pub(super) struct Templates {
    job: Arc<NewJob>,
    clock: SystemClock,
}

impl Templates {
    pub(super) fn new(
        koinon: &Koinon,
        kind: &str,
        payload: String,
        limits: Limits,
    ) -> anyhow::Result<Self> {
        let clock = SystemClock::new();
        let project = ProjectId::try_new("bench")?;
        let job = NewJob {
            id: JobId::from_uuid(clock.uuid()),
            tenant: koinon.tenant().clone(),
            authority: Some(koinon.local_authority(project.clone())),
            project,
            kind: Kind::try_new(kind)?,
            queue: QueueName::try_new(kind)?,
            identity: Digest::of(kind.as_bytes()),
            priority: Priority::default(),
            payload: payload.into_bytes(),
            limits,
            max_attempts: 3,
        };
        Ok(Self { job: Arc::new(job), clock })
    }

    pub(super) fn batch(&self, jobs: usize) -> Vec<Submission> {
        let one = |_| {
            let id = JobId::from_uuid(self.clock.uuid());
            let identity = Digest::of(id.as_uuid().as_bytes());
            let job = NewJob { id, identity, ..(*self.job).clone() };
            Submission { job, if_exists: IfExists::Return }
        };
        (0..jobs).map(one).collect()
    }
}
