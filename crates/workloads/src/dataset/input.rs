//! What a dataset job is asked to do, as its payload stores it.

use serde::{Deserialize, Serialize};

use super::settings::Settings;
use super::sources::Source;

/// The input of a dataset job. Everything that decides the result is in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Input {
    /// The documents, whose bytes are artifacts.
    pub sources: Vec<Source>,
    /// Whether there were more than `max_files`.
    pub overflowed: bool,
    /// How the dataset is made.
    pub settings: Settings,
    /// Who answers.
    pub provider: String,
    /// Which of its models.
    pub model: String,
}
