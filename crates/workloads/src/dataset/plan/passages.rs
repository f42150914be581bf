//! The passages of a chunk: pieces that begin with a sentence and stand in the source as they are.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::dataset::chunk::Chunk;
use crate::dataset::document::{Block, BlockKind, Document, Piece};
use crate::dataset::prompts;
use crate::dataset::span::Span;
use crate::dataset::text::{approximate_tokens, collapse_whitespace, sentences};

/// The most tokens of a passage of several sentences.
const MOST_TOKENS: usize = 150;
/// The most tokens of a sentence that is a passage by itself.
const LONGEST_SENTENCE: usize = 300;
/// The most tokens of a passage that is no sentence.
const WINDOW_TOKENS: usize = 100;

/// How well a passage is suited.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Tier {
    /// It begins with a whole sentence.
    Sentence,
    /// It begins with words that no mark ends, such as a list item.
    Phrase,
    /// A row, record or fragment, of which there is nothing better.
    Fragment,
}

/// Text that an example can be made from.
#[derive(Debug, Clone)]
pub(super) struct Passage<'d> {
    pub(super) document: &'d Document,
    pub(super) chunk: &'d Chunk,
    pub(super) block: &'d Block,
    /// In the block's text.
    pub(super) range: Range<usize>,
    /// The end of its first sentence in the block's text.
    pub(super) first_end: usize,
    pub(super) span: Span,
    pub(super) tier: Tier,
}

impl<'d> Passage<'d> {
    pub(super) fn text(&self) -> &'d str {
        self.block.text.get(self.range.clone()).unwrap_or_default()
    }

    pub(super) fn first_sentence(&self) -> &'d str {
        self.block.text.get(self.range.start..self.first_end).unwrap_or_default()
    }
}

/// Finds the passages of about `goal` tokens in chunks that are given one after the other; no two
/// begin alike.
pub(super) struct Finder {
    goal: usize,
    begun: BTreeSet<String>,
}

/// Of which blocks fragments are taken when they have no sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fragments {
    /// Of rows and records, which seldom have sentences.
    OfRecords,
    /// Of everything, in a document that has nothing better.
    OfAll,
}

impl Finder {
    pub(super) const fn new(goal: usize) -> Self {
        Self { goal, begun: BTreeSet::new() }
    }

    /// Adds the passages of `chunk` to `found`, in order.
    pub(super) fn find<'d>(
        &mut self,
        document: &'d Document,
        chunk: &'d Chunk,
        fragments: Fragments,
        found: &mut Vec<Passage<'d>>,
    ) {
        for (_, block) in chunk.blocks(document) {
            if matches!(block.kind, BlockKind::Heading { .. } | BlockKind::Code) {
                continue;
            }
            let before = found.len();
            let measured = (usize::MAX, 0, 0);
            let mut place = Place { document, chunk, block, measured };
            self.sentences(&mut place, found);
            let takes_fragments = fragments == Fragments::OfAll || block.kind == BlockKind::Record;
            if found.len() == before && takes_fragments {
                self.fragments(&mut place, found);
            }
        }
    }

    /// Groups the sentences of a block until each group reaches the goal.
    fn sentences<'d>(&mut self, place: &mut Place<'d>, found: &mut Vec<Passage<'d>>) {
        let text = place.block.text.as_str();
        let mut open: Option<Cut> = None;
        for sentence in sentences(text) {
            if let Some(cut) = &mut open {
                let longer = cut.range.start..sentence.end;
                let is_short = tokens_of(text, &cut.range) < self.goal;
                if is_short && tokens_of(text, &longer) <= MOST_TOKENS && place.stands(&longer) {
                    cut.range = longer;
                    continue;
                }
            }
            self.keep(place, open.take(), found);
            let words = text.get(sentence.clone()).unwrap_or_default();
            open = tier(words)
                .filter(|_| {
                    approximate_tokens(words) <= LONGEST_SENTENCE && place.stands(&sentence)
                })
                .map(|tier| Cut { first_end: sentence.end, range: sentence, tier });
        }
        self.keep(place, open, found);
    }

    /// Cuts what has no sentence at white space.
    fn fragments<'d>(&mut self, place: &mut Place<'d>, found: &mut Vec<Passage<'d>>) {
        let text = place.block.text.as_str();
        for piece in &place.block.pieces {
            let mut window: Option<Range<usize>> = None;
            for word in words_of(text, piece.start..piece.end) {
                match &mut window {
                    Some(range) if tokens_of(text, &(range.start..word.end)) <= WINDOW_TOKENS => {
                        range.end = word.end;
                    }
                    _ => {
                        let full = window.replace(word);
                        self.keep(place, full.and_then(|range| fragment(text, range)), found);
                    }
                }
            }
            self.keep(place, window.and_then(|range| fragment(text, range)), found);
        }
    }

    fn keep<'d>(&mut self, place: &mut Place<'d>, cut: Option<Cut>, found: &mut Vec<Passage<'d>>) {
        let Some(passage) = cut.and_then(|cut| place.passage(cut)) else { return };
        if prompts::has_marker(passage.text()) {
            return;
        }
        let beginning = collapse_whitespace(passage.first_sentence()).to_lowercase();
        if self.begun.insert(beginning) {
            found.push(passage);
        }
    }
}

/// A passage before it is known where it stands.
struct Cut {
    range: Range<usize>,
    first_end: usize,
    tier: Tier,
}

/// The block that passages are cut from, in order.
struct Place<'d> {
    document: &'d Document,
    chunk: &'d Chunk,
    block: &'d Block,
    /// The piece of the block that was measured last, up to which offset, and where that stands;
    /// going on from there makes one pass of all passages of a long piece.
    measured: (usize, usize, u64),
}

impl<'d> Place<'d> {
    fn piece(&self, range: &Range<usize>) -> Option<&'d Piece> {
        let index = self.block.pieces.partition_point(|piece| piece.end < range.end);
        self.block.pieces.get(index).filter(|piece| piece.start <= range.start)
    }

    /// Whether the range stands in the source as it is.
    fn stands(&self, range: &Range<usize>) -> bool {
        self.piece(range).is_some()
    }

    fn passage(&mut self, cut: Cut) -> Option<Passage<'d>> {
        let Cut { range, first_end, tier } = cut;
        let piece = self.piece(&range)?;
        let start = self.source_of(piece, range.start)?;
        let end = self.source_of(piece, range.end)?;
        let Self { document, chunk, block, .. } = *self;
        Some(Passage {
            document,
            chunk,
            block,
            range,
            first_end,
            span: Span::new(start, end),
            tier,
        })
    }

    fn source_of(&mut self, piece: &Piece, at: usize) -> Option<u64> {
        let (measured, offset, source) = self.measured;
        let goes_on = measured == piece.start && offset >= piece.start && offset <= at;
        let (from, source) =
            if goes_on { (offset, source) } else { (piece.start, piece.span.start) };
        let between = self.block.text.get(from..at)?;
        let source = source + self.document.encoding.source_len(between);
        self.measured = (piece.start, at, source);
        Some(source)
    }
}

fn fragment(text: &str, range: Range<usize>) -> Option<Cut> {
    let words = text.get(range.clone())?;
    let letters = words.chars().filter(|c| c.is_alphanumeric()).count();
    let fits = letters >= 3 && approximate_tokens(words) <= LONGEST_SENTENCE;
    fits.then_some(Cut { first_end: range.end, range, tier: Tier::Fragment })
}

fn tokens_of(text: &str, range: &Range<usize>) -> usize {
    text.get(range.clone()).map_or(0, approximate_tokens)
}

/// The ranges of the words in `range`.
fn words_of(text: &str, range: Range<usize>) -> impl Iterator<Item = Range<usize>> + '_ {
    let base = text.as_ptr().addr();
    let words = text.get(range).unwrap_or_default().split_whitespace();
    words.map(move |word| {
        let start = word.as_ptr().addr() - base;
        start..start + word.len()
    })
}

/// How well a sentence begins a passage; not at all when it is markup, code or too short.
fn tier(sentence: &str) -> Option<Tier> {
    let first = sentence.chars().next()?;
    let opens_well = first.is_alphanumeric() || "\"'“‘«„(*_`¿¡「『".contains(first);
    let letters = sentence.chars().filter(|c| c.is_alphabetic()).count();
    let visible = sentence.chars().filter(|c| !c.is_whitespace()).count();
    let words =
        sentence.split_whitespace().filter(|word| word.contains(char::is_alphabetic)).count();
    let is_long = (words >= 4 && letters >= 12) || (!sentence.is_ascii() && letters >= 10);
    let leads_on = sentence.ends_with([':', '：']);
    if !opens_well || !is_long || letters * 10 < visible * 6 || leads_on {
        return None;
    }
    let bare = sentence.trim_end_matches(|c: char| "\"'”’»)]}*_`」』".contains(c));
    let is_whole = bare.ends_with(['.', '!', '?', '…', '。', '！', '？']);
    Some(if is_whole { Tier::Sentence } else { Tier::Phrase })
}
