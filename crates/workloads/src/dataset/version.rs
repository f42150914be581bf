//! The name of a dataset: a digest of everything that decides it.

use koinon_domain::Digest;
use serde::{Deserialize, Serialize};

use crate::dataset::intake::Accepted;
use crate::dataset::settings::Settings;
use crate::dataset::{PIPELINE_VERSION, prompts};

/// Who answered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Model {
    /// The provider's name.
    pub provider: String,
    /// The model's name.
    pub model: String,
}

/// The digest of sources, settings, prompts, model and pipeline, in hexadecimal digits.
///
/// It says nothing of where and when the dataset was made, nor with which concurrency.
#[must_use]
pub fn version(sources: &[Accepted], settings: &Settings, model: &Model) -> String {
    let mut fields: Vec<Vec<u8>> = vec![
        b"dataset".to_vec(),
        PIPELINE_VERSION.as_bytes().to_vec(),
        prompts::digest().as_bytes().to_vec(),
        model.provider.clone().into_bytes(),
        model.model.clone().into_bytes(),
    ];
    for (key, value) in settings.identity() {
        fields.push(key.into_bytes());
        fields.push(value.into_bytes());
    }
    for source in sources {
        fields.push(source.path.clone().into_bytes());
        fields.push(source.sha256.clone().into_bytes());
    }
    let fields: Vec<&[u8]> = fields.iter().map(Vec::as_slice).collect();
    Digest::of_fields(&fields).to_string()
}
