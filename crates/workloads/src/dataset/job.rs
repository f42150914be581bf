//! The stages of a dataset job, from top to bottom.

mod check;
mod export;
mod generate;
mod read;

use async_trait::async_trait;
use koinon_domain::ErrorCode;
use koinon_retry::Class;
use koinon_runner::{Failure, JobContext, JobError, Workload};
use serde::Serialize;

use super::chunk::{self, Chunk};
use super::export::RowCounts;
use super::input::Input;
use super::intake::IntakeError;
use super::plan;
use super::warning::Warning;

/// The version of the stages' code: a result of another version does not serve.
const VERSION: u32 = 1;

/// The `dataset` workload: real documents become a checked, traceable dataset.
#[derive(Debug, Clone, Copy, Default)]
pub struct Dataset;

/// What a dataset job says about its result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Summary {
    /// How many rows each file has.
    pub rows: RowCounts,
    /// What a person should know about the documents, one line each.
    pub warnings: Vec<String>,
    /// The digest over everything that decides the result.
    pub version: String,
}

#[async_trait]
impl Workload for Dataset {
    const KIND: &'static str = "dataset";
    const STAGES: &'static [&'static str] = &[
        "intake", "parse", "chunk", "plan", "generate", "validate", "quality", "dedup", "version",
        "export",
    ];
    type Input = Input;
    type Output = Summary;

    async fn run(&self, job: &JobContext, input: Input) -> Result<Summary, JobError> {
        let intake = read::intake(job, &input).await?;
        let documents = read::parse(job, &intake).await?;
        let names: Vec<_> =
            documents.iter().map(|document| (&document.path, &document.sha256)).collect();
        let chunk_tokens = input.settings.chunk_tokens;
        let chunks: Vec<Chunk> = job
            .stage("chunk")
            .version(VERSION)
            .once(&(&names, chunk_tokens), async |_| {
                Ok(documents.iter().flat_map(|one| chunk::chunk(one, chunk_tokens)).collect())
            })
            .await?;
        let plan = job
            .stage("plan")
            .version(VERSION)
            .once(&(&names, input.settings.identity()), async |_| {
                plan::plan(&documents, &chunks, &input.settings).map_err(unusable)
            })
            .await?;
        // The items carry their passages, so the texts are not needed any more.
        let parsed = documents.iter().flat_map(|document| document.warnings.clone());
        let warnings: Vec<Warning> =
            intake.warnings.iter().cloned().chain(parsed).chain(plan.warnings.clone()).collect();
        drop((documents, chunks));
        let generated = generate::generate(job, &input, &plan).await?;
        let checked = check::check(job, &input, &plan, generated).await?;
        export::export(job, &input, &intake, &plan, checked, warnings).await
    }
}

/// Inputs of which nothing can be made fail the job for good.
#[expect(clippy::needless_pass_by_value, reason = "it is handed to map_err")]
fn unusable(error: IntakeError) -> JobError {
    let code = ErrorCode::foreign(error.code());
    Failure::new(Class::Permanent, error.to_string()).with_code(code).into()
}
