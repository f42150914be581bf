//! Collects the blocks of one document.

use std::ops::Range;

use crate::dataset::charset::Decoded;
use crate::dataset::document::{Block, BlockKind, Piece};
use crate::dataset::text::{collapse_whitespace, truncate};
use crate::dataset::warning::Warning;

/// The longest heading that a path keeps, in bytes.
const HEADING_BYTES: usize = 200;

/// A part of a block's text.
#[derive(Debug, Clone)]
pub(super) enum Segment {
    /// It stands in the decoded text.
    Source(Range<usize>),
    /// It stands there in another form: an entity, an escape, or only a gap between cells.
    Literal(String),
}

/// Whether a block may be separated from the one before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Join {
    Free,
    WithPrevious,
}

/// The blocks of one document so far.
pub(super) struct Builder<'a> {
    path: &'a str,
    decoded: &'a Decoded,
    blocks: Vec<Block>,
    headings: Vec<(u8, String)>,
    title: Option<String>,
    warnings: Vec<Warning>,
}

impl<'a> Builder<'a> {
    pub(super) const fn new(path: &'a str, decoded: &'a Decoded) -> Self {
        Self {
            path,
            decoded,
            blocks: Vec::new(),
            headings: Vec::new(),
            title: None,
            warnings: Vec::new(),
        }
    }

    /// The whole decoded text.
    pub(super) fn text(&self) -> &'a str {
        self.decoded.text()
    }

    pub(super) fn finish(self) -> (Vec<Block>, Option<String>, Vec<Warning>) {
        let first = self.headings_of_document();
        (self.blocks, self.title.or(first), self.warnings)
    }

    fn headings_of_document(&self) -> Option<String> {
        let is_heading = |block: &&Block| matches!(block.kind, BlockKind::Heading { .. });
        let heading = self.blocks.iter().find(is_heading)?;
        Some(truncate(&collapse_whitespace(&heading.text), HEADING_BYTES).to_owned())
    }

    pub(super) fn title(&mut self, title: &str) {
        let title = collapse_whitespace(title);
        if !title.is_empty() && self.title.is_none() {
            self.title = Some(truncate(&title, HEADING_BYTES).to_owned());
        }
    }

    pub(super) fn warn(
        &mut self,
        place: impl Into<String>,
        code: &str,
        message: impl Into<String>,
    ) {
        self.warnings.push(Warning::at(self.path, place, code, message));
    }

    /// Adds a heading; what follows stands under it.
    pub(super) fn heading(&mut self, level: u8, name: &str, segments: &[Segment]) {
        self.headings.retain(|(above, _)| *above < level);
        self.push(BlockKind::Heading { level }, segments, Join::Free);
        let name = collapse_whitespace(name);
        if !name.is_empty() {
            self.headings.push((level, truncate(&name, HEADING_BYTES).to_owned()));
        }
    }

    /// Adds a block under the headings so far.
    pub(super) fn push(&mut self, kind: BlockKind, segments: &[Segment], join: Join) {
        let under = self.headings.iter().map(|(_, name)| name.clone()).collect();
        self.push_under(under, kind, segments, join);
    }

    /// Adds a block under headings of its own.
    pub(super) fn push_under(
        &mut self,
        heading_path: Vec<String>,
        kind: BlockKind,
        segments: &[Segment],
        join: Join,
    ) {
        let mut text = String::new();
        let mut pieces = Vec::new();
        let mut extent: Option<Range<usize>> = None;
        for segment in segments {
            match segment {
                Segment::Literal(literal) => text.push_str(literal),
                Segment::Source(range) => {
                    let Some(source) = self.text().get(range.clone()) else { continue };
                    for part in self.decoded.quotable(range.clone()) {
                        let start = text.len() + (part.start - range.start);
                        let end = start + part.len();
                        pieces.push(Piece { start, end, span: self.decoded.span(part) });
                    }
                    text.push_str(source);
                    extent = Some(match extent {
                        Some(so_far) => so_far.start.min(range.start)..so_far.end.max(range.end),
                        None => range.clone(),
                    });
                }
            }
        }
        let Some(extent) = extent else { return };
        if text.trim().is_empty() {
            return;
        }
        let span = self.decoded.span(extent);
        let joined = join == Join::WithPrevious && !self.blocks.is_empty();
        self.blocks.push(Block { kind, text, span, heading_path, joined, pieces });
    }
}

/// Whether a value of a table or record is prose rather than a name, number or code.
pub(super) fn is_prose(text: &str) -> bool {
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    let chars = text.chars().filter(|c| !c.is_whitespace()).count();
    let words = text.split_whitespace().take(6).count();
    let ends_whole = text.trim_end().ends_with(['.', '!', '?', '。', '！', '？']);
    let is_long =
        words == 6 || (words >= 4 && ends_whole) || (letters > 12 && words < 3 && ends_whole);
    is_long && letters * 10 >= chars * 6
}

/// An empty line between two values, so that no sentence runs from one into the other.
pub(super) fn gap() -> Segment {
    Segment::Literal("\n\n".to_owned())
}
