//! Results and answers: in the row while they are small, else in an artifact that is complete first.

use koinon_artifacts::Artifacts;
use koinon_domain::ErrorCode;
use koinon_store::{INLINE_MAX_BYTES, Stored};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::{Failure, JobError};

/// Makes bytes ready to be named by a row.
pub(crate) async fn store(artifacts: &Artifacts, bytes: Vec<u8>) -> Result<Stored, JobError> {
    if bytes.len() <= INLINE_MAX_BYTES {
        return Ok(Stored::Inline(bytes));
    }
    let size_bytes = bytes.len() as u64;
    let digest = artifacts.put(bytes.into()).await?;
    Ok(Stored::Blob { digest, size_bytes })
}

/// The bytes that a row names.
pub(crate) async fn fetch(artifacts: &Artifacts, stored: Stored) -> Result<Vec<u8>, JobError> {
    match stored {
        Stored::Inline(bytes) => Ok(bytes),
        Stored::Blob { digest, .. } => Ok(artifacts.get(&digest).await?.into()),
    }
}

pub(crate) fn to_json(value: &impl Serialize) -> Result<Vec<u8>, JobError> {
    serde_json::to_vec(value)
        .map_err(|error| Failure::permanent(format!("a stage's value is no JSON: {error}")).into())
}

pub(crate) fn from_json<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, JobError> {
    serde_json::from_slice(bytes).map_err(|error| {
        let message = format!(
            "a stored result does not fit its stage any more ({error}): give the stage a new version"
        );
        Failure::permanent(message).with_code(ErrorCode::INPUT_MISMATCH).into()
    })
}
