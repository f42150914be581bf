//! Stored results of finished stages and items.

use koinon_domain::{Digest, Generation, ItemKey, StageName, Timestamp};

use crate::Stored;

/// What identifies a checkpoint inside its job.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CheckpointKey {
    /// The stage.
    pub stage: StageName,
    /// The version of the stage's code.
    pub version: u32,
    /// The item; `None` for the stage as a whole.
    pub item: Option<ItemKey>,
    /// The digest of the input that the result belongs to.
    pub input: Digest,
}

/// A result to be stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checkpoint {
    /// What it is the result of.
    pub key: CheckpointKey,
    /// The result.
    pub result: Stored,
}

/// A stored result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredCheckpoint {
    /// What it is the result of.
    pub key: CheckpointKey,
    /// The result.
    pub result: Stored,
    /// The generation that wrote it.
    pub generation: Generation,
    /// When.
    pub at: Timestamp,
}
