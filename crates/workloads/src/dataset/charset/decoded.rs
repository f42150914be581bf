//! Decoded text that knows where each character stood in the original bytes.

use std::ops::Range;

use super::Charset;
use crate::dataset::span::{Span, offset};

/// How much text may lie between two anchors, which bounds the cost of one look-up.
const ANCHOR_EVERY: usize = 4096;

/// A place in the text whose place in the source is written down.
#[derive(Debug, Clone, Copy)]
struct Anchor {
    text: usize,
    /// Where the character before it ends.
    before: u64,
    /// Where the character after it starts; differs from `before` where bytes were removed.
    after: u64,
}

/// The text of a file, and the way back from it to the file's bytes.
///
/// Not all of it may be quoted: a removed U+0000, a replaced sequence, a control character or a
/// character that is not written in the encoding's usual way is a hole. Text between holes is
/// exactly what decoding its span gives.
#[derive(Debug, Clone)]
pub struct Decoded {
    text: String,
    charset: Charset,
    anchors: Vec<Anchor>,
    holes: Vec<Range<usize>>,
    nuls: u64,
    first_nul: Option<u64>,
    replaced: u64,
    first_replaced: Option<u64>,
    strays: u64,
}

impl Decoded {
    pub(super) fn new(charset: Charset, first_byte: usize, capacity: usize) -> Self {
        let at = offset(first_byte);
        Self {
            text: String::with_capacity(capacity),
            charset,
            anchors: vec![Anchor { text: 0, before: at, after: at }],
            holes: Vec::new(),
            nuls: 0,
            first_nul: None,
            replaced: 0,
            first_replaced: None,
            strays: 0,
        }
    }

    /// Adds a character that is written in the encoding's usual way.
    pub(super) fn push(&mut self, c: char, source: Range<usize>) {
        if c == '\0' {
            self.nuls += 1;
            self.first_nul.get_or_insert(offset(source.start));
            self.holes.push(self.text.len()..self.text.len());
            self.anchor(source);
            return;
        }
        let at = self.text.len();
        if self.anchors.last().is_none_or(|last| at - last.text >= ANCHOR_EVERY) {
            self.anchor(source.start..source.start);
        }
        self.text.push(c);
        let stray = (c.is_control() && !c.is_whitespace()) || c == '\u{feff}';
        if stray {
            self.strays += 1;
            self.holes.push(at..self.text.len());
        }
    }

    /// Adds a character that cannot be measured by encoding it again.
    pub(super) fn push_odd(&mut self, c: char, source: Range<usize>) {
        let at = self.text.len();
        self.anchor(source.start..source.start);
        self.text.push(c);
        self.holes.push(at..self.text.len());
        self.anchor(source.end..source.end);
    }

    /// Adds U+FFFD for bytes that are no character.
    pub(super) fn push_replacement(&mut self, source: Range<usize>) {
        self.replaced += 1;
        self.first_replaced.get_or_insert(offset(source.start));
        self.push_odd(char::REPLACEMENT_CHARACTER, source);
    }

    fn anchor(&mut self, source: Range<usize>) {
        let (text, before, after) = (self.text.len(), offset(source.start), offset(source.end));
        match self.anchors.last_mut() {
            Some(last) if last.text == text => last.after = after,
            _ => self.anchors.push(Anchor { text, before, after }),
        }
    }

    /// The decoded text, without byte order mark and U+0000.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The encoding that it was decoded from.
    #[must_use]
    pub const fn charset(&self) -> Charset {
        self.charset
    }

    /// How many U+0000 were removed.
    #[must_use]
    pub const fn nuls(&self) -> u64 {
        self.nuls
    }

    /// The byte offset of the first removed U+0000.
    #[must_use]
    pub const fn first_nul(&self) -> Option<u64> {
        self.first_nul
    }

    /// How many byte sequences were no character and became U+FFFD.
    #[must_use]
    pub const fn replaced(&self) -> u64 {
        self.replaced
    }

    /// The byte offset of the first such sequence.
    #[must_use]
    pub const fn first_replaced(&self) -> Option<u64> {
        self.first_replaced
    }

    /// How many control characters other than white space it has.
    #[must_use]
    pub const fn strays(&self) -> u64 {
        self.strays
    }

    /// Where the text of `range` stood in the original bytes.
    #[must_use]
    pub fn span(&self, range: Range<usize>) -> Span {
        let start = self.start_of(range.start);
        if range.is_empty() {
            Span::new(start, start)
        } else {
            Span::new(start, self.end_of(range.end))
        }
    }

    /// The parts of `range` that may be quoted, in order: `range` without its holes.
    #[must_use]
    pub fn quotable(&self, range: Range<usize>) -> Vec<Range<usize>> {
        let mut parts = Vec::new();
        let mut from = range.start;
        let first = self.holes.partition_point(|hole| hole.end <= range.start);
        for hole in self.holes.iter().skip(first).take_while(|hole| hole.start < range.end) {
            if from < hole.start {
                parts.push(from..hole.start);
            }
            from = hole.end.max(from);
        }
        if from < range.end {
            parts.push(from..range.end);
        }
        parts
    }

    /// Where the character that starts at `at` starts in the source.
    fn start_of(&self, at: usize) -> u64 {
        let index = self.anchors.partition_point(|anchor| anchor.text <= at);
        self.anchors.get(index.saturating_sub(1)).map_or(0, |anchor| self.beyond(*anchor, at))
    }

    /// Where the character that ends at `at` ends in the source.
    fn end_of(&self, at: usize) -> u64 {
        let index = self.anchors.partition_point(|anchor| anchor.text < at);
        match self.anchors.get(index) {
            Some(anchor) if anchor.text == at => anchor.before,
            _ => self
                .anchors
                .get(index.saturating_sub(1))
                .map_or(0, |anchor| self.beyond(*anchor, at)),
        }
    }

    fn beyond(&self, anchor: Anchor, at: usize) -> u64 {
        anchor.after
            + self.text.get(anchor.text..at).map_or(0, |text| self.charset.source_len(text))
    }
}
