//! What was made and left out, with the reason: nothing disappears silently.

use serde::{Deserialize, Serialize};

use crate::dataset::answer::Draft;
use crate::dataset::plan::{PlannedItem, Split};
use crate::dataset::row::Candidate;
use crate::dataset::settings::Kind;
use crate::dataset::span::Span;

/// An item that is in no split.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Quarantined {
    /// The item's key.
    pub key: String,
    /// The stage that put it aside.
    pub stage: String,
    /// A stable name for why.
    pub reason: String,
    /// One sentence.
    pub message: String,
    /// The document's path.
    pub path: String,
    /// The digest of the document's bytes.
    pub source_sha256: String,
    /// Where the passage stands in the document's bytes.
    pub passage_span: Span,
    /// The chunk's id.
    pub chunk: String,
    /// The call that answered, when one did.
    pub call: Option<String>,
    /// What was asked for.
    pub kind: Kind,
    /// Where the row would have gone.
    pub split: Split,
    /// What the model wrote; none when it is personal data or never had the right form.
    pub draft: Option<Draft>,
}

impl Quarantined {
    /// An item that no call gave a usable answer for.
    #[must_use]
    pub fn unanswered(
        item: &PlannedItem,
        call: Option<String>,
        reason: &str,
        message: &str,
    ) -> Self {
        Self {
            key: item.key.clone(),
            stage: "generate".to_owned(),
            reason: reason.to_owned(),
            message: message.to_owned(),
            path: item.path.clone(),
            source_sha256: item.source_sha256.clone(),
            passage_span: item.passage_span,
            chunk: item.chunk.clone(),
            call,
            kind: item.kind,
            split: item.split,
            draft: None,
        }
    }

    /// A candidate that a stage put aside, with what the model wrote.
    pub(crate) fn with_draft(
        candidate: Candidate,
        stage: &str,
        reason: &str,
        message: String,
    ) -> Self {
        let Candidate { item, draft, call } = candidate;
        let unanswered = Self::unanswered(&item, Some(call), reason, "");
        Self { stage: stage.to_owned(), message, draft: Some(draft), ..unanswered }
    }
}

/// What a stage kept and what it put aside.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sifted<T> {
    /// Goes on, in order.
    pub kept: Vec<T>,
    /// Is left out, in order.
    pub quarantined: Vec<Quarantined>,
}

impl<T> Sifted<T> {
    pub(crate) const fn new() -> Self {
        Self { kept: Vec::new(), quarantined: Vec::new() }
    }
}
