//! What a dataset job put out.

use std::collections::BTreeMap;

use serde_json::Value;
use sha2::{Digest as _, Sha256};

use crate::koinon::Koinon;

/// The files that always exist.
const FILES: [&str; 6] = [
    "train.jsonl",
    "validation.jsonl",
    "test.jsonl",
    "quarantine.jsonl",
    "card.md",
    "manifest.json",
];

/// A finished dataset.
#[derive(Debug, Clone)]
pub struct Dataset {
    /// The files by name.
    pub files: BTreeMap<String, Vec<u8>>,
}

/// A row of a dataset.
#[derive(Debug, Clone)]
pub struct Row {
    /// As it stands in the file.
    pub value: Value,
    /// The name of its file, without the ending.
    pub split: String,
}

impl Dataset {
    /// Reads the folder `name` and holds it against what every dataset promises.
    pub fn read(koinon: &Koinon, name: &str) -> Self {
        let dataset = Self { files: koinon.files(name) };
        for file in FILES {
            assert!(dataset.files.contains_key(file), "there is no {file}");
        }
        dataset.check_manifest();
        dataset
    }

    /// The rows of one file.
    #[must_use]
    pub fn rows_of(&self, split: &str) -> Vec<Row> {
        let bytes = &self.files[&format!("{split}.jsonl")];
        let text = std::str::from_utf8(bytes).unwrap();
        let row =
            |line| Row { value: serde_json::from_str(line).unwrap(), split: split.to_owned() };
        text.lines().map(row).collect()
    }

    /// The rows of train, validation and test.
    #[must_use]
    pub fn rows(&self) -> Vec<Row> {
        ["train", "validation", "test"].iter().flat_map(|split| self.rows_of(split)).collect()
    }

    /// The quarantined rows as one text.
    #[must_use]
    pub fn quarantine(&self) -> String {
        String::from_utf8(self.files["quarantine.jsonl"].clone()).unwrap()
    }

    /// Everything that is for people and machines to read, as one text.
    #[must_use]
    pub fn text(&self) -> String {
        self.files.values().map(|bytes| String::from_utf8_lossy(bytes)).collect()
    }

    /// Every file but itself stands in the manifest, with its digest.
    fn check_manifest(&self) {
        let manifest = String::from_utf8(self.files["manifest.json"].clone()).unwrap();
        for (name, bytes) in self.files.iter().filter(|(name, _)| *name != "manifest.json") {
            assert!(manifest.contains(name.as_str()), "{name} is not in the manifest: {manifest}");
            let digest = sha256(bytes);
            assert!(manifest.contains(&digest), "{name} has another digest: {manifest}");
        }
    }
}

impl Row {
    /// A field of its metadata that is text.
    #[must_use]
    pub fn text(&self, field: &str) -> &str {
        self.value["metadata"][field]
            .as_str()
            .unwrap_or_else(|| panic!("no {field} in {}", self.value))
    }

    /// What the user or the assistant says.
    #[must_use]
    pub fn says(&self, role: &str) -> &str {
        let messages = self.value["messages"].as_array().unwrap();
        let message = messages.iter().find(|message| message["role"] == role).unwrap();
        message["content"].as_str().unwrap()
    }

    /// Holds the row against the UTF-8 source that it names.
    pub fn check_against(&self, source: &[u8]) {
        assert_eq!(self.text("source_sha256"), sha256(source), "another source: {}", self.value);
        assert_eq!(self.text("split"), self.split);
        assert_eq!(self.text("encoding"), "UTF-8");
        let span = &self.value["metadata"]["span"];
        let bound = |name: &str| usize::try_from(span[name].as_u64().unwrap()).unwrap();
        let stands_there = std::str::from_utf8(&source[bound("start")..bound("end")]).unwrap();
        assert_eq!(collapsed(stands_there), self.text("quote"), "another quote: {}", self.value);
    }
}

fn sha256(bytes: &[u8]) -> String {
    hex::encode(Sha256::digest(bytes))
}

fn collapsed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
