//! How far a job has come.

use crate::StageName;

/// The progress of the stage that is under way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Progress {
    /// The stage.
    pub stage: StageName,
    /// How many units are done; at most `total`.
    pub done: u64,
    /// How many there are.
    pub total: u64,
    /// What is counted, in the plural: `files`, `items`.
    pub unit: String,
}
