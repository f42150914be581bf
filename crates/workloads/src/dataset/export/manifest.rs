//! The list of the files, with what they are made of.

use std::collections::BTreeMap;

use koinon_domain::Digest;
use serde::Serialize;

use super::{Dataset, OutputFile, RowCounts};
use crate::dataset::PIPELINE_VERSION;

#[derive(Serialize)]
struct Manifest<'a> {
    version: &'a str,
    pipeline: &'static str,
    provider: &'a str,
    model: &'a str,
    settings: BTreeMap<String, String>,
    rows: RowCounts,
    kinds: BTreeMap<&'static str, usize>,
    sources: Vec<Source<'a>>,
    files: Vec<File<'a>>,
}

#[derive(Serialize)]
struct Source<'a> {
    path: &'a str,
    sha256: &'a str,
    size_bytes: u64,
}

#[derive(Serialize)]
struct File<'a> {
    name: &'a str,
    sha256: String,
    size_bytes: usize,
}

/// The manifest of `files`, which it is not one of.
pub(super) fn manifest(dataset: &Dataset<'_>, files: &[OutputFile]) -> serde_json::Result<Vec<u8>> {
    let mut kinds = BTreeMap::new();
    for row in dataset.rows {
        *kinds.entry(row.grounded.candidate.item.kind.name()).or_default() += 1;
    }
    let manifest = Manifest {
        version: dataset.version,
        pipeline: PIPELINE_VERSION,
        provider: &dataset.model.provider,
        model: &dataset.model.model,
        settings: dataset.settings.identity().into_iter().collect(),
        rows: dataset.counts(),
        kinds,
        sources: dataset
            .sources
            .iter()
            .map(|source| Source {
                path: &source.path,
                sha256: &source.sha256,
                size_bytes: source.size_bytes,
            })
            .collect(),
        files: files
            .iter()
            .map(|file| File {
                name: &file.name,
                sha256: Digest::of(&file.bytes).to_string(),
                size_bytes: file.bytes.len(),
            })
            .collect(),
    };
    let mut bytes = serde_json::to_vec_pretty(&manifest)?;
    bytes.push(b'\n');
    Ok(bytes)
}
