//! What an embedder writes: the code that runs the jobs of one kind.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use koinon_domain::ErrorCode;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::{Failure, JobContext, JobError};

/// The code that runs the jobs of one kind.
///
/// [`run`](Self::run) runs again from its beginning after a crash, a retry or a pause; stages that have
/// finished give their stored results instead of running. There is no rule that code between stages be
/// deterministic.
#[async_trait]
pub trait Workload: Send + Sync + 'static {
    /// The kind; also the name in logs.
    const KIND: &'static str;
    /// The queue that its jobs wait in unless they are submitted to another.
    const QUEUE: &'static str = Self::KIND;
    /// The names of the stages in their order.
    const STAGES: &'static [&'static str];
    /// What a job of this kind is asked to do.
    type Input: DeserializeOwned + Send;
    /// What it says about its result, besides the artifacts that it attached.
    type Output: Serialize + Send;

    /// Runs a job.
    ///
    /// # Errors
    ///
    /// What `?` carries: a reason to stop, or a failure.
    async fn run(&self, job: &JobContext, input: Self::Input) -> Result<Self::Output, JobError>;
}

/// A workload whose types the engine need not know.
#[async_trait]
pub(crate) trait AnyWorkload: Send + Sync {
    fn queue(&self) -> &'static str;
    fn stages(&self) -> &'static [&'static str];
    /// Whether a payload is what the workload takes.
    fn check(&self, payload: &[u8]) -> Result<(), Failure>;
    async fn run(&self, job: &JobContext, payload: &[u8]) -> Result<Vec<u8>, JobError>;
}

#[async_trait]
impl<W: Workload> AnyWorkload for W {
    fn queue(&self) -> &'static str {
        W::QUEUE
    }

    fn stages(&self) -> &'static [&'static str] {
        W::STAGES
    }

    fn check(&self, payload: &[u8]) -> Result<(), Failure> {
        input_of::<W>(payload).map(drop)
    }

    async fn run(&self, job: &JobContext, payload: &[u8]) -> Result<Vec<u8>, JobError> {
        let output = Workload::run(self, job, input_of::<W>(payload)?).await?;
        serde_json::to_vec(&output)
            .map_err(|error| Failure::permanent(format!("the result is no JSON: {error}")).into())
    }
}

fn input_of<W: Workload>(payload: &[u8]) -> Result<W::Input, Failure> {
    serde_json::from_slice(payload).map_err(|error| {
        let message = format!("the job's input is not what a {} job takes: {error}", W::KIND);
        Failure::permanent(message).with_code(ErrorCode::INVALID_INPUT)
    })
}

/// The workloads of a program, by kind.
#[derive(Clone, Default)]
pub struct Workloads(BTreeMap<&'static str, Arc<dyn AnyWorkload>>);

impl Workloads {
    /// None.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// These and one more; it takes the place of one of the same kind.
    #[must_use]
    pub fn with<W: Workload>(mut self, workload: W) -> Self {
        self.0.insert(W::KIND, Arc::new(workload));
        self
    }

    /// The kinds.
    pub fn kinds(&self) -> impl Iterator<Item = &'static str> {
        self.0.keys().copied()
    }

    /// The queues that their jobs wait in, each once.
    #[must_use]
    pub fn queues(&self) -> BTreeSet<&'static str> {
        self.0.values().map(|workload| workload.queue()).collect()
    }

    /// The queue that jobs of a kind wait in.
    #[must_use]
    pub fn queue(&self, kind: &str) -> Option<&'static str> {
        self.0.get(kind).map(|workload| workload.queue())
    }

    /// The stages of a kind, in their order.
    #[must_use]
    pub fn stages(&self, kind: &str) -> Option<&'static [&'static str]> {
        self.0.get(kind).map(|workload| workload.stages())
    }

    /// Whether a payload is what the workload of a kind takes; `None` if there is no such workload.
    #[must_use]
    pub fn check(&self, kind: &str, payload: &[u8]) -> Option<Result<(), Failure>> {
        self.0.get(kind).map(|workload| workload.check(payload))
    }

    pub(crate) fn get(&self, kind: &str) -> Option<Arc<dyn AnyWorkload>> {
        self.0.get(kind).cloned()
    }
}

impl fmt::Debug for Workloads {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.0.keys()).finish()
    }
}
