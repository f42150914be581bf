//! Cutting documents into chunks by their structure.

use koinon_domain::Digest;
use serde::{Deserialize, Serialize};

use crate::dataset::document::{Block, BlockKind, Document};
use crate::dataset::span::Span;
use crate::dataset::text::approximate_tokens;

/// Raised when the same document would be cut otherwise.
const VERSION: &[u8] = b"chunk-1";

/// Neighbouring blocks of one document under one heading.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chunk {
    /// A digest of the document's bytes, the span and how chunks are cut.
    pub id: String,
    /// The document's path.
    pub path: String,
    /// The headings that its first block stands under, outermost first.
    pub heading_path: Vec<String>,
    /// From its first block's start to its last block's end.
    pub span: Span,
    /// The index of its first block in the document.
    pub first_block: usize,
    /// The index after that of its last block.
    pub end_block: usize,
    /// About how large it is.
    pub tokens: usize,
}

impl Chunk {
    /// Its blocks, with their indices, out of the document that it was cut from.
    pub fn blocks<'d>(&self, document: &'d Document) -> impl Iterator<Item = (usize, &'d Block)> {
        let count = self.end_block.saturating_sub(self.first_block);
        document.blocks.iter().enumerate().skip(self.first_block).take(count)
    }
}

/// Cuts a document into chunks of about `chunk_tokens`.
///
/// A chunk never goes over a heading and never splits a block, a list item or a record; what is
/// larger than `chunk_tokens` by itself is a chunk of its own. A heading without text below it is
/// in no chunk.
#[must_use]
pub fn chunk(document: &Document, chunk_tokens: u32) -> Vec<Chunk> {
    let most = usize::try_from(chunk_tokens).unwrap_or(usize::MAX);
    let mut chunks = Vec::new();
    let mut open = Open::at(0);
    let mut next = 0;
    while let Some(block) = document.blocks.get(next) {
        let end = unit_end(&document.blocks, next);
        let unit = document.blocks.get(next..end).unwrap_or_default();
        let tokens: usize = unit.iter().map(|block| approximate_tokens(&block.text)).sum();
        let is_heading = matches!(block.kind, BlockKind::Heading { .. });
        // A heading begins a chunk, unless all there is yet are the headings above it.
        if open.has_text && (is_heading || open.tokens + tokens > most) {
            chunks.extend(open.close(document, next));
            open = Open::at(next);
        }
        open.tokens += tokens;
        open.has_text |= !is_heading;
        next = end;
    }
    chunks.extend(open.close(document, next));
    chunks
}

/// The index after the blocks that may not be separated from the one at `at`.
fn unit_end(blocks: &[Block], at: usize) -> usize {
    let joined = blocks.iter().skip(at + 1).take_while(|block| block.joined).count();
    at + 1 + joined
}

struct Open {
    first: usize,
    tokens: usize,
    has_text: bool,
}

impl Open {
    const fn at(first: usize) -> Self {
        Self { first, tokens: 0, has_text: false }
    }

    fn close(&self, document: &Document, end: usize) -> Option<Chunk> {
        let blocks = document.blocks.get(self.first..end)?;
        let text = blocks.iter().find(|block| !matches!(block.kind, BlockKind::Heading { .. }))?;
        let span = blocks.iter().map(|block| block.span).reduce(Span::cover)?;
        let id = Digest::of_fields(&[
            VERSION,
            document.sha256.as_bytes(),
            &span.start.to_be_bytes(),
            &span.end.to_be_bytes(),
        ]);
        Some(Chunk {
            id: id.to_string(),
            path: document.path.clone(),
            heading_path: text.heading_path.clone(),
            span,
            first_block: self.first,
            end_block: end,
            tokens: self.tokens,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::tests::document;

    fn chunks(text: &str, tokens: u32) -> Vec<Vec<String>> {
        let document = document("a.md", text);
        chunk(&document, tokens)
            .iter()
            .map(|chunk| chunk.blocks(&document).map(|(_, block)| block.text.clone()).collect())
            .collect()
    }

    #[test]
    fn a_chunk_never_goes_over_a_heading() {
        let text = "# A\n\n## B\n\none\n\ntwo\n\n## C\n\nthree\n\n# Empty\n";
        assert_eq!(chunks(text, 900), [vec!["A", "B", "one", "two"], vec!["C", "three"]]);
    }

    #[test]
    fn blocks_list_items_and_tables_stay_whole() {
        let long = "word ".repeat(100);
        let item = format!("- {long}\n\n  same item\n- other\n");
        let text = format!("short\n\n{long}\n\n{item}\n| a | b |\n|-|-|\n| {long} | {long} |\n");
        let cut = chunks(&text, 50);
        assert_eq!(cut.len(), 5);
        assert_eq!(cut[2].len(), 2, "the paragraphs of one item stay together");
        assert_eq!(cut[2][1], "same item");
    }

    #[test]
    fn an_id_changes_with_content_and_place_only() {
        let one = chunk(&document("a.md", "one\n"), 900);
        assert_eq!(one, chunk(&document("a.md", "one\n"), 50));
        assert_eq!(one[0].id, chunk(&document("b.md", "one\n"), 900)[0].id);
        assert_ne!(one[0].id, chunk(&document("a.md", "two\n"), 900)[0].id);
    }
}
