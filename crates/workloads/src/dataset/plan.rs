//! Which examples are made from which passage, and which split each belongs to.

mod assign;
mod kinds;
mod passages;
mod select;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::dataset::charset::Charset;
use crate::dataset::chunk::Chunk;
use crate::dataset::document::Document;
use crate::dataset::intake::IntakeError;
use crate::dataset::settings::{Kind, Settings};
use crate::dataset::span::Span;
use crate::dataset::warning::Warning;

use passages::Passage;

/// A part of the dataset.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Split {
    /// To learn from.
    Train,
    /// To choose by.
    Validation,
    /// To judge by.
    Test,
}

impl Split {
    /// Every split, in the order in which they are listed everywhere.
    pub const ALL: [Self; 3] = [Self::Train, Self::Validation, Self::Test];

    /// Its name in rows and file names.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Train => "train",
            Self::Validation => "validation",
            Self::Test => "test",
        }
    }
}

impl fmt::Display for Split {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// One example that is to be made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlannedItem {
    /// Unique in the job and the same in every run: number, chunk, number in the chunk.
    pub key: String,
    /// What to ask for.
    pub kind: Kind,
    /// Where the row will go.
    pub split: Split,
    /// The document's path.
    pub path: String,
    /// The digest of the document's bytes.
    pub source_sha256: String,
    /// How the document's bytes are decoded.
    pub encoding: Charset,
    /// The chunk's id.
    pub chunk: String,
    /// The headings that the passage stands under.
    pub heading_path: Vec<String>,
    /// What the example is made from: the decoded text of `passage_span`, unchanged. No two items
    /// have text in common.
    pub passage: String,
    /// Where the passage stands in the document's bytes.
    pub passage_span: Span,
}

/// Where a document went.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DocumentSplit {
    /// Its path.
    pub path: String,
    /// The digest of its bytes.
    pub sha256: String,
    /// The split of all its rows.
    pub split: Split,
    /// How many items are planned from it.
    pub items: usize,
}

/// The result of the stage.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    /// What is to be made, in the order of the documents and within each as it stands there.
    pub items: Vec<PlannedItem>,
    /// Every document that has text, once for each path.
    pub documents: Vec<DocumentSplit>,
    /// What a person should know.
    pub warnings: Vec<Warning>,
}

/// Plans the examples.
///
/// # Errors
///
/// [`IntakeError::NoUsableInput`] when the documents yield no passage at all.
pub fn plan(
    documents: &[Document],
    chunks: &[Chunk],
    settings: &Settings,
) -> Result<Plan, IntakeError> {
    let mut warnings = Vec::new();
    let originals = originals(documents, &mut warnings);
    let chosen = select::select(documents, chunks, &originals, settings.target, &mut warnings);
    if chosen.is_empty() {
        return Err(IntakeError::no_usable_input(documents.iter().map(|_| "no_passage")));
    }
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for passage in &chosen {
        *counts.entry(passage.document.sha256.as_str()).or_default() += 1;
    }
    let splits = assign::assign(&counts, settings.split, settings.seed);
    let kinds = kinds::kinds(&chosen, &settings.mix);
    let mut in_chunk: BTreeMap<&str, usize> = BTreeMap::new();
    let mut items = Vec::with_capacity(chosen.len());
    for (index, (passage, kind)) in chosen.iter().zip(kinds).enumerate() {
        let nth = in_chunk.entry(passage.chunk.id.as_str()).or_default();
        *nth += 1;
        items.push(item(passage, index + 1, *nth, kind, &splits));
    }
    let mut by_path: BTreeMap<&str, usize> = BTreeMap::new();
    for passage in &chosen {
        *by_path.entry(passage.document.path.as_str()).or_default() += 1;
    }
    for document in documents {
        let path = document.path.as_str();
        if !by_path.contains_key(path) && originals.contains(path) {
            let message = "no example is planned from it: it has no passage of its own, or others \
                           were chosen";
            warnings.push(Warning::whole(path, "nothing_planned", message));
        }
    }
    let documents = documents
        .iter()
        .filter(|document| counts.contains_key(document.sha256.as_str()))
        .map(|document| DocumentSplit {
            path: document.path.clone(),
            sha256: document.sha256.clone(),
            split: split_of(&splits, &document.sha256),
            items: by_path.get(document.path.as_str()).copied().unwrap_or(0),
        })
        .collect();
    Ok(Plan { items, documents, warnings })
}

fn item(
    passage: &Passage<'_>,
    number: usize,
    nth: usize,
    kind: Kind,
    splits: &BTreeMap<&str, Split>,
) -> PlannedItem {
    let Passage { document, chunk, block, .. } = passage;
    let short = chunk.id.get(..8).unwrap_or(&chunk.id);
    PlannedItem {
        key: format!("{number:04}-{short}-{nth}"),
        kind,
        split: split_of(splits, &document.sha256),
        path: document.path.clone(),
        source_sha256: document.sha256.clone(),
        encoding: document.encoding,
        chunk: chunk.id.clone(),
        heading_path: block.heading_path.clone(),
        passage: passage.text().to_owned(),
        passage_span: passage.span,
    }
}

fn split_of(splits: &BTreeMap<&str, Split>, sha256: &str) -> Split {
    splits.get(sha256).copied().unwrap_or(Split::Train)
}

/// The paths of documents that are no copy of an earlier one.
fn originals<'d>(documents: &'d [Document], warnings: &mut Vec<Warning>) -> BTreeSet<&'d str> {
    let mut first: BTreeMap<&str, &str> = BTreeMap::new();
    let mut originals = BTreeSet::new();
    for document in documents {
        match first.get(document.sha256.as_str()) {
            Some(original) => {
                let message = format!("the same bytes as {original}, used once");
                warnings.push(Warning::whole(&document.path, "duplicate_source", message));
            }
            None => {
                first.insert(&document.sha256, &document.path);
                originals.insert(document.path.as_str());
            }
        }
    }
    originals
}

#[cfg(test)]
mod tests;
