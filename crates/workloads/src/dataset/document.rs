//! A parsed input: its structure, and where each part stands in its bytes.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::dataset::charset::Charset;
use crate::dataset::intake::MediaType;
use crate::dataset::span::Span;
use crate::dataset::warning::Warning;

/// A parsed input.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Document {
    /// As in the source.
    pub path: String,
    /// The digest of its bytes.
    pub sha256: String,
    /// What it is.
    pub media_type: MediaType,
    /// How its bytes are decoded; all spans count bytes before that.
    pub encoding: Charset,
    /// What it calls itself.
    pub title: Option<String>,
    /// Its parts, in the order in which they stand in it.
    pub blocks: Vec<Block>,
    /// What was odd about it.
    pub warnings: Vec<Warning>,
}

/// A part of a document that is never cut.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Block {
    /// What it is.
    pub kind: BlockKind,
    /// Its decoded text: of Markdown with its markup, of HTML and JSON with entities and escapes
    /// resolved, of a table the cells with empty lines between them.
    pub text: String,
    /// Where it stands.
    pub span: Span,
    /// The headings that it stands under, outermost first.
    pub heading_path: Vec<String>,
    /// Whether it may not be separated from the block before it, being of the same list item or
    /// record.
    pub joined: bool,
    /// The parts of `text` that stand in the source exactly so, in order.
    pub pieces: Vec<Piece>,
}

/// The kinds of blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BlockKind {
    /// A heading.
    Heading {
        /// 1 is the highest, 6 the lowest.
        level: u8,
    },
    /// Running text.
    Paragraph,
    /// An item of a list, without the lists inside it.
    ListItem,
    /// A whole table.
    Table,
    /// Preformatted text.
    Code,
    /// A row of a file of rows, or a value of a JSON text.
    Record,
}

/// A part of a block's text that is, character for character, what decoding its span gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Piece {
    /// Its first byte in the block's text.
    pub start: usize,
    /// The byte after its last one.
    pub end: usize,
    /// Where it stands in the source.
    pub span: Span,
}

impl Block {
    /// The text of a piece; empty when the piece is not of this block.
    #[must_use]
    pub fn piece_text(&self, piece: &Piece) -> &str {
        self.text.get(piece.start..piece.end).unwrap_or_default()
    }

    /// Where `range` of the block's text stands in the source, when it lies within one piece.
    #[must_use]
    pub fn span_of(&self, range: &Range<usize>, encoding: Charset) -> Option<Span> {
        let index = self.pieces.partition_point(|piece| piece.end < range.end);
        let piece = self.pieces.get(index).filter(|piece| piece.start <= range.start)?;
        let start =
            piece.span.start + encoding.source_len(self.text.get(piece.start..range.start)?);
        let length = encoding.source_len(self.text.get(range.clone())?);
        Some(Span::new(start, start + length))
    }
}
