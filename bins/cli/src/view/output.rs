//! The output of a job as programs read it.

use std::collections::BTreeMap;
use std::path::Path;

use koinon::store::Manifest;
use serde::{Deserialize, Serialize};

/// What a dataset job says about its result, besides its artifacts.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub(crate) struct Summary {
    /// How many rows each part has.
    #[serde(default)]
    pub(crate) rows: BTreeMap<String, u64>,
    /// What a person should know about the input.
    #[serde(default)]
    pub(crate) warnings: Vec<String>,
}

impl Summary {
    /// The summary of a manifest. A kind that says other things about its result has none of these.
    pub(crate) fn of(manifest: &Manifest) -> Self {
        serde_json::from_slice(&manifest.summary).unwrap_or_default()
    }
}

/// The files of a job, and the folder that they were written to, if they were.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct OutputView {
    pub(crate) dir: Option<String>,
    pub(crate) rows: RowsView,
    pub(crate) files: Vec<FileView>,
}

/// How many rows each part has.
#[derive(Debug, Clone, Copy, Serialize)]
pub(crate) struct RowsView {
    pub(crate) train: u64,
    pub(crate) validation: u64,
    pub(crate) test: u64,
    pub(crate) quarantine: u64,
}

/// One file.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct FileView {
    pub(crate) name: String,
    pub(crate) sha256: String,
    pub(crate) size_bytes: u64,
}

impl OutputView {
    pub(crate) fn of(manifest: &Manifest, dir: Option<&Path>) -> Self {
        let rows = Summary::of(manifest).rows;
        let count = |part: &str| rows.get(part).copied().unwrap_or_default();
        let files = manifest.artifacts.iter().map(|artifact| FileView {
            name: artifact.name.clone(),
            sha256: artifact.digest.to_string(),
            size_bytes: artifact.size_bytes,
        });
        Self {
            dir: dir.map(|dir| dir.display().to_string()),
            rows: RowsView {
                train: count("train"),
                validation: count("validation"),
                test: count("test"),
                quarantine: count("quarantine"),
            },
            files: files.collect(),
        }
    }

    /// The rows in one line.
    pub(crate) fn rows_text(&self) -> String {
        let RowsView { train, validation, test, quarantine } = self.rows;
        format!("{train} train, {validation} validation, {test} test, {quarantine} quarantined")
    }

    /// The files in one line.
    pub(crate) fn files_text(&self) -> String {
        let names: Vec<_> = self.files.iter().map(|file| file.name.as_str()).collect();
        match &self.dir {
            Some(dir) => format!("{} in {dir}", names.join(", ")),
            None => names.join(", "),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_summary_of_another_form_is_empty() {
        let manifest = Manifest { summary: b"[1]".to_vec(), ..Manifest::default() };
        assert_eq!(Summary::of(&manifest), Summary::default());
        let summary = br#"{"rows": {"train": 3}, "warnings": ["a: b"], "version": "1"}"#.to_vec();
        let manifest = Manifest { summary, ..Manifest::default() };
        let output = OutputView::of(&manifest, None);
        assert_eq!((output.rows.train, output.rows.test), (3, 0));
    }
}
