//! From the sources to documents.

use koinon_domain::{Digest, ErrorCode, ItemKey};
use koinon_retry::Class;
use koinon_runner::{Failure, JobContext, JobError};

use super::{VERSION, unusable};
use crate::dataset::document::Document;
use crate::dataset::input::Input;
use crate::dataset::intake::{self, Accepted, Finding, Intake};
use crate::dataset::parse;
use crate::dataset::sources::Source;

/// So many documents are parsed at once.
const DOCUMENTS_AT_ONCE: usize = 2;

/// Which sources can be used, and as what.
pub(super) async fn intake(job: &JobContext, input: &Input) -> Result<Intake, JobError> {
    job.stage("intake")
        .version(VERSION)
        .once(&(&input.sources, input.overflowed, input.settings.identity()), async |_| {
            let settings = &input.settings;
            intake::check_licence(settings.licence.as_deref()).map_err(|blocked| {
                Failure::new(Class::PolicyBlock, blocked.to_string())
                    .with_code(ErrorCode::LICENCE_BLOCKED)
            })?;
            if input.overflowed {
                let max_files = settings.max_files;
                return Err(unusable(intake::IntakeError::TooManyFiles { max_files }));
            }
            let mut findings = Vec::with_capacity(input.sources.len());
            for source in &input.sources {
                findings.push(examine(job, source).await?);
            }
            intake::admit(findings, settings.max_files).map_err(unusable)
        })
        .await
}

async fn examine(job: &JobContext, source: &Source) -> Result<Finding, JobError> {
    let Some(digest) = digest(source.sha256.as_deref())? else {
        return Ok(intake::examine(source, &[]));
    };
    let bytes = job.get(&digest).await?;
    let source = source.clone();
    blocking(move || intake::examine(&source, &bytes)).await
}

/// The documents, in the order of the sources.
pub(super) async fn parse(job: &JobContext, intake: &Intake) -> Result<Vec<Document>, JobError> {
    let mut items = Vec::with_capacity(intake.accepted.len());
    for (at, accepted) in intake.accepted.iter().enumerate() {
        let key = ItemKey::try_new(format!("{:05}", at + 1))
            .map_err(|error| Failure::permanent(error.to_string()))?;
        items.push((key, accepted));
    }
    let documents: Vec<Document> = job
        .stage("parse")
        .version(VERSION)
        .unit("documents")
        .concurrency(DOCUMENTS_AT_ONCE)
        .each(items, async |_, accepted: &Accepted| {
            let Some(digest) = digest(Some(&accepted.sha256))? else {
                return Err(Failure::permanent("a document has no digest").into());
            };
            let bytes = job.get(&digest).await?;
            let accepted = accepted.clone();
            blocking(move || parse::parse(&accepted, &bytes)).await
        })
        .await?;
    parse::require_text(&documents).map_err(unusable)?;
    Ok(documents)
}

fn digest(sha256: Option<&str>) -> Result<Option<Digest>, JobError> {
    let parsed = sha256.map(str::parse::<Digest>).transpose();
    parsed.map_err(|error| Failure::permanent(format!("a source's sha256: {error}")).into())
}

/// Work that would hold up the heartbeats of the process runs beside them.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, JobError> {
    tokio::task::spawn_blocking(work)
        .await
        .map_err(|_| Failure::new(Class::Transient, "reading a document panicked").into())
}
