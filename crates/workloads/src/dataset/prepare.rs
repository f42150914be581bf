//! From what a person names to a job's payload: done where the job is submitted.

use std::path::PathBuf;

use futures::{StreamExt as _, TryStreamExt as _};
use koinon_artifacts::Artifacts;
use koinon_domain::ErrorCode;

use super::input::Input;
use super::settings::{Settings, SettingsError};
use super::sources::{self, Entry, Gather, SkipReason, Source, SourceError};

/// So many files are read and stored at once.
const FILES_AT_ONCE: usize = 8;

/// What a person asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Order {
    /// Files, folders, patterns; `-` is standard input.
    pub inputs: Vec<String>,
    /// Files and folders that are passed over, such as the output folder.
    pub exclude: Vec<PathBuf>,
    /// The settings, as `key=value` pairs.
    pub set: Vec<(String, String)>,
    /// Who answers.
    pub provider: String,
    /// Which of its models.
    pub model: String,
}

/// A job that can be submitted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prepared {
    /// The job's payload, as JSON.
    pub payload: Vec<u8>,
    /// The resolved configuration, for the job's identity.
    pub configuration: Vec<(String, String)>,
    /// Path and digest of each source, for the job's identity.
    pub sources: Vec<(String, String)>,
}

/// Why nothing can be submitted.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PrepareError {
    /// A setting is wrong.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// An input is not there.
    #[error(transparent)]
    Sources(#[from] SourceError),
    /// A document could not be put into the artifact store.
    #[error("a document could not be stored")]
    Artifacts(#[from] koinon_artifacts::Error),
    /// The order could not be written as a payload.
    #[error("the order cannot be written as JSON")]
    Payload(#[from] serde_json::Error),
}

impl PrepareError {
    /// The stable code.
    #[must_use]
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::Settings(_) | Self::Payload(_) => ErrorCode::USAGE,
            Self::Sources(SourceError::Missing { .. }) => ErrorCode::SOURCE_MISSING,
            Self::Sources(_) => ErrorCode::USAGE,
            Self::Artifacts(error) => ErrorCode::foreign(error.code()),
        }
    }

    /// Whether the order itself is wrong, so that asking again as it is makes no sense.
    #[must_use]
    pub const fn is_usage(&self) -> bool {
        match self {
            Self::Settings(_) | Self::Sources(_) => true,
            Self::Artifacts(_) | Self::Payload(_) => false,
        }
    }
}

/// Gathers the inputs, puts their bytes into the artifact store, and writes the payload. Files that
/// cannot be used are listed with the reason; the job's `intake` stage decides about them.
///
/// # Errors
///
/// [`PrepareError`]; nothing was submitted.
pub async fn prepare(order: Order, artifacts: &Artifacts) -> Result<Prepared, PrepareError> {
    let settings = Settings::parse(order.set)?;
    let gather = Gather {
        max_file_bytes: settings.max_file_bytes,
        max_files: settings.max_files,
        exclude: &order.exclude,
    };
    let gathered = gather.gather(&order.inputs)?;
    let max_bytes = settings.max_file_bytes;
    let sources: Vec<Source> = futures::stream::iter(gathered.entries)
        .map(|entry| store(entry, max_bytes, gathered.overflowed, artifacts))
        .buffered(FILES_AT_ONCE)
        .try_collect()
        .await?;
    let mut configuration = settings.identity();
    configuration.push(("provider".to_owned(), order.provider.clone()));
    configuration.push(("model".to_owned(), order.model.clone()));
    let identity = sources.iter().map(|source| (source.path.clone(), identity_of(source)));
    Ok(Prepared {
        configuration,
        sources: identity.collect(),
        payload: serde_json::to_vec(&Input {
            sources,
            overflowed: gathered.overflowed,
            settings,
            provider: order.provider,
            model: order.model,
        })?,
    })
}

/// Reads one input and stores its bytes. When there are too many anyway, nothing is read.
async fn store(
    entry: Entry,
    max_bytes: u64,
    overflowed: bool,
    artifacts: &Artifacts,
) -> Result<Source, koinon_artifacts::Error> {
    let Entry { path, location, size_bytes, skipped } = entry;
    let left_out = |skipped| Source { path: path.clone(), sha256: None, size_bytes, skipped };
    if skipped.is_some() || overflowed {
        return Ok(left_out(skipped));
    }
    let read = tokio::task::spawn_blocking(move || sources::read(&location, max_bytes)).await;
    let bytes = match read {
        Ok(Ok(bytes)) => bytes,
        Ok(Err(reason)) => return Ok(left_out(Some(reason))),
        Err(_panicked) => return Ok(left_out(Some(SkipReason::Unreadable))),
    };
    let size_bytes = bytes.len() as u64;
    let digest = artifacts.put(bytes.into()).await?;
    Ok(Source { path, sha256: Some(digest.to_string()), size_bytes, skipped: None })
}

/// What stands for a source in the job's identity: its digest, or what is known of one not read.
fn identity_of(source: &Source) -> String {
    match (&source.sha256, source.skipped) {
        (Some(digest), _) => digest.clone(),
        (None, Some(reason)) => format!("{}:{}", reason.code(), source.size_bytes),
        (None, None) => format!("unread:{}", source.size_bytes),
    }
}
