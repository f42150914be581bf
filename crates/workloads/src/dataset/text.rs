//! White space, words, size and sentences of decoded text.

mod sentence;

use unicode_segmentation::UnicodeSegmentation as _;

pub use sentence::sentences;

/// The text with every run of white space made one space, and none at its ends.
#[must_use]
pub fn collapse_whitespace(text: &str) -> String {
    let mut collapsed = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !collapsed.is_empty() {
            collapsed.push(' ');
        }
        collapsed.push_str(word);
    }
    collapsed
}

/// About how many model tokens `text` is: a quarter of its UTF-8 bytes, rounded up.
///
/// Byte-pair vocabularies average four bytes a token on English prose and come close to that on
/// other scripts, whose characters take more bytes. It only steers sizes; nothing is priced by it.
#[must_use]
pub const fn approximate_tokens(text: &str) -> usize {
    text.len().div_ceil(4)
}

/// The words of `text`, in order, in lower case.
///
/// Source: Unicode Standard Annex 29, word boundaries; an ideograph is a word of its own.
pub(crate) fn words(text: &str) -> impl Iterator<Item = String> + '_ {
    text.unicode_words().map(str::to_lowercase)
}

/// `text` cut at a character boundary to at most `max` bytes.
pub(crate) fn truncate(text: &str, max: usize) -> &str {
    let mut end = max.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(..end).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_collapses_to_single_spaces() {
        assert_eq!(collapse_whitespace(" a\r\n\t b\u{a0}c "), "a b c");
    }

    #[test]
    fn a_cut_never_splits_a_character() {
        assert_eq!(truncate("né", 2), "n");
        assert_eq!(truncate("né", 3), "né");
    }
}
