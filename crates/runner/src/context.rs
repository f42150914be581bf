//! What a workload sees of its job.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use koinon_admission::Root;
use koinon_domain::{Digest, Generation, JobId, ProjectId, StageName, TenantId};
use koinon_store::{Artifact, JobSpec, Note};

use crate::committer::{Committer, Part};
use crate::held::Held;
use crate::stage::Stage;
use crate::{Config, JobError, Services};

/// A running job, as its workload sees it.
#[derive(Debug, Clone)]
pub struct JobContext(pub(crate) Arc<Running>);

/// Everything that the engine knows about a running job.
#[derive(Debug)]
pub(crate) struct Running {
    pub(crate) services: Arc<Services>,
    pub(crate) config: Config,
    pub(crate) spec: Arc<JobSpec>,
    pub(crate) held: Arc<Held>,
    pub(crate) committer: Committer,
    pub(crate) tally: Arc<Tally>,
    pub(crate) root: Root,
    pub(crate) stages: &'static [&'static str],
    /// Whether no claim of the job has ever written anything, before this one.
    pub(crate) is_first: bool,
    /// The stages that this claim has begun.
    pub(crate) begun: Mutex<BTreeSet<StageName>>,
    pub(crate) attached: Mutex<Vec<Artifact>>,
    pub(crate) holds: crate::door::OpenHolds,
}

impl Running {
    /// Begins a stage, and says whether nothing can be stored about it yet: it is the first time in the
    /// first claim that writes anything. Then there are neither results nor calls to look for.
    pub(crate) fn begins_new(&self, stage: &StageName) -> bool {
        let mut begun = self.begun.lock().unwrap_or_else(PoisonError::into_inner);
        begun.insert(stage.clone()) && self.is_first
    }
}

/// What a process has done so far.
#[derive(Debug, Default)]
pub struct Tally {
    calls: AtomicU64,
    replayed: AtomicU64,
}

impl Tally {
    /// Requests that were sent to providers.
    #[must_use]
    pub fn calls(&self) -> u64 {
        self.calls.load(Ordering::Relaxed)
    }

    /// Calls whose stored answer or result served, so that nothing was sent.
    #[must_use]
    pub fn replayed(&self) -> u64 {
        self.replayed.load(Ordering::Relaxed)
    }

    pub(crate) fn count_call(&self) {
        self.calls.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn uncount_call(&self) {
        self.calls.fetch_sub(1, Ordering::Relaxed);
    }

    pub(crate) fn count_replay(&self) {
        self.replayed.fetch_add(1, Ordering::Relaxed);
    }
}

impl JobContext {
    /// The job's id.
    #[must_use]
    pub fn id(&self) -> JobId {
        self.0.spec.id
    }

    /// Who owns it.
    #[must_use]
    pub fn tenant(&self) -> &TenantId {
        &self.0.spec.tenant
    }

    /// The tenant's own grouping.
    #[must_use]
    pub fn project(&self) -> &ProjectId {
        &self.0.spec.project
    }

    /// The generation of this claim.
    #[must_use]
    pub fn generation(&self) -> Generation {
        self.0.held.generation
    }

    /// How many times a rejected answer to one call is asked for again before its item is given up.
    #[must_use]
    pub fn max_attempts(&self) -> u32 {
        self.0.spec.max_attempts
    }

    /// The live root operation that this job runs as, for calls that nest in it.
    #[must_use]
    pub fn root(&self) -> Root {
        self.0.root.clone()
    }

    /// A stage. Its name must be one of the workload's `STAGES`.
    pub fn stage(&self, name: &'static str) -> Stage<'_> {
        Stage::new(self, name)
    }

    /// Puts bytes into the artifact store; complete when this returns.
    ///
    /// # Errors
    ///
    /// A failure of the artifact store.
    pub async fn put(&self, bytes: Bytes) -> Result<Digest, JobError> {
        Ok(self.0.services.artifacts.put(bytes).await?)
    }

    /// Reads an artifact and verifies its digest.
    ///
    /// # Errors
    ///
    /// `artifact_missing`, `artifact_damaged`, or another failure of the artifact store.
    pub async fn get(&self, digest: &Digest) -> Result<Bytes, JobError> {
        Ok(self.0.services.artifacts.get(digest).await?)
    }

    /// Adds an artifact to the job's output. Its bytes must have been [put](Self::put) before. An
    /// artifact of the same name is replaced.
    pub fn attach(&self, artifact: Artifact) {
        let mut attached = self.0.attached.lock().unwrap_or_else(PoisonError::into_inner);
        attached.retain(|present| present.name != artifact.name);
        attached.push(artifact);
    }

    /// Writes something into the job's history. Never a prompt, an answer or a key.
    ///
    /// # Errors
    ///
    /// A reason to stop, or a failure of the store.
    pub async fn note(
        &self,
        name: &str,
        detail: impl IntoIterator<Item = (&str, String)> + Send,
    ) -> Result<(), JobError> {
        let clean = |text: &str| koinon_domain::clean(text, 2_000);
        let detail = detail.into_iter().map(|(key, value)| (clean(key), clean(&value))).collect();
        let note = Note { name: koinon_domain::clean(name, 64), detail };
        Ok(self.0.committer.write(Part { notes: vec![note], ..Part::default() }).await?)
    }
}
