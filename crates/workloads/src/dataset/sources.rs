//! What the caller named, as a list of files: gathered where a job is submitted.

mod gather;
mod names;
mod read;
mod walk;

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

pub use gather::{Gather, Gathered, SourceError};
pub use read::{read, read_bounded};

/// The path that standard input gets.
pub const STDIN_PATH: &str = "stdin";

/// One input of a job, as its payload stores it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Source {
    /// Relative to the input that was given; the base name for a single file.
    pub path: String,
    /// The digest of its bytes; none when they were not read.
    pub sha256: Option<String>,
    /// How many bytes it has.
    pub size_bytes: u64,
    /// Why it was not read.
    pub skipped: Option<SkipReason>,
}

/// Why an input is left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum SkipReason {
    /// A symbolic link to something outside the folder that was given.
    SymlinkOutsideRoot,
    /// A symbolic link that leads back to a folder above it, or to itself.
    SymlinkLoop,
    /// A pipe, socket or device.
    SpecialFile,
    /// It could not be read.
    Unreadable,
    /// It is larger than `max_file_bytes`.
    FileTooLarge,
    /// It has no text.
    Empty,
    /// It is no text.
    Binary,
    /// Its encoding is not known, or its bytes do not fit it.
    Undecodable,
    /// It is text of a kind that is not supported.
    Unsupported,
    /// It claims to be JSON and is not.
    Malformed,
}

impl SkipReason {
    /// Its name in warnings, errors and stored data.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::SymlinkOutsideRoot => "symlink_outside_root",
            Self::SymlinkLoop => "symlink_loop",
            Self::SpecialFile => "special_file",
            Self::Unreadable => "unreadable",
            Self::FileTooLarge => "file_too_large",
            Self::Empty => "empty",
            Self::Binary => "binary",
            Self::Undecodable => "undecodable",
            Self::Unsupported => "unsupported",
            Self::Malformed => "malformed",
        }
    }

    /// What happened, as a sentence.
    #[must_use]
    pub const fn message(self) -> &'static str {
        match self {
            Self::SymlinkOutsideRoot => "skipped: the link leaves the folder that was given",
            Self::SymlinkLoop => "skipped: the link leads back to itself or to a folder above it",
            Self::SpecialFile => "skipped: not a regular file",
            Self::Unreadable => "skipped: it cannot be read",
            Self::FileTooLarge => "skipped: larger than max_file_bytes",
            Self::Empty => "skipped: it has no text",
            Self::Binary => "skipped: it is not text",
            Self::Undecodable => "skipped: its encoding cannot be told",
            Self::Unsupported => "skipped: this kind of text is not supported",
            Self::Malformed => "skipped: it is not well-formed JSON",
        }
    }
}

/// Where an input's bytes are, on the machine that submits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Location {
    /// A file.
    File(PathBuf),
    /// Standard input.
    Stdin,
}

/// An input that was found, before it is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// As in [`Source::path`].
    pub path: String,
    /// Where to read it.
    pub location: Location,
    /// As the file system tells it; 0 for standard input.
    pub size_bytes: u64,
    /// Why it should not be read.
    pub skipped: Option<SkipReason>,
}
