//! The files of a dataset, as bytes: the same for the same inputs and configuration.
//!
//! No file holds a job id, generation, instant, absolute path or host.

mod card;
mod manifest;
mod rows;

use serde::{Deserialize, Serialize};

use crate::dataset::intake::{Accepted, Skipped};
use crate::dataset::plan::{DocumentSplit, Split};
use crate::dataset::quarantine::Quarantined;
use crate::dataset::row::Scored;
use crate::dataset::settings::Settings;
use crate::dataset::version::Model;
use crate::dataset::warning::Warning;

/// Everything that the files tell.
#[derive(Debug, Clone, Copy)]
pub struct Dataset<'a> {
    /// The digest that names the dataset.
    pub version: &'a str,
    /// How it was made.
    pub settings: &'a Settings,
    /// Who answered.
    pub model: &'a Model,
    /// The inputs that were used.
    pub sources: &'a [Accepted],
    /// The inputs that were left out.
    pub skipped: &'a [Skipped],
    /// Which document went to which split.
    pub documents: &'a [DocumentSplit],
    /// The rows of all splits, in order.
    pub rows: &'a [Scored],
    /// What was left out, of all stages.
    pub quarantined: &'a [Quarantined],
    /// The remarks of all stages.
    pub warnings: &'a [Warning],
}

/// A finished file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutputFile {
    /// Its name, without folders.
    pub name: String,
    /// Its media type.
    pub media_type: &'static str,
    /// Its content.
    pub bytes: Vec<u8>,
}

/// How many rows each file has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct RowCounts {
    /// In `train.jsonl`.
    pub train: usize,
    /// In `validation.jsonl`.
    pub validation: usize,
    /// In `test.jsonl`.
    pub test: usize,
    /// In `quarantine.jsonl`.
    pub quarantine: usize,
}

impl Dataset<'_> {
    /// How many rows each file has.
    #[must_use]
    pub fn counts(&self) -> RowCounts {
        let of = |split| self.rows_of(split).count();
        RowCounts {
            train: of(Split::Train),
            validation: of(Split::Validation),
            test: of(Split::Test),
            quarantine: self.quarantined.len(),
        }
    }

    fn rows_of(&self, split: Split) -> impl Iterator<Item = &Scored> {
        self.rows.iter().filter(move |row| row.grounded.candidate.item.split == split)
    }
}

/// The files cannot be written as JSON.
#[derive(Debug, thiserror::Error)]
#[error("rendering the dataset's files")]
pub struct ExportError(#[from] serde_json::Error);

/// Renders all files, in the order `train.jsonl`, `validation.jsonl`, `test.jsonl`,
/// `quarantine.jsonl`, `card.md`, `manifest.json`; each exists even when it has no rows.
///
/// # Errors
///
/// [`ExportError`] when a value has no JSON form, which no value here lacks.
pub fn export(dataset: &Dataset<'_>) -> Result<Vec<OutputFile>, ExportError> {
    const LINES: &str = "application/jsonl";
    let file =
        |name: &str, media_type, bytes| OutputFile { name: name.to_owned(), media_type, bytes };
    let mut files = Vec::new();
    for split in Split::ALL {
        let bytes = rows::rows(dataset.rows_of(split))?;
        files.push(file(&format!("{split}.jsonl"), LINES, bytes));
    }
    files.push(file("quarantine.jsonl", LINES, rows::quarantine(dataset.quarantined)?));
    files.push(file("card.md", "text/markdown", card::card(dataset).into_bytes()));
    let manifest = manifest::manifest(dataset, &files)?;
    files.push(file("manifest.json", "application/json", manifest));
    Ok(files)
}
