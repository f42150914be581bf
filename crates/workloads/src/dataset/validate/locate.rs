//! Finding a quote whose white space may differ.

use std::ops::Range;

/// Where `quote`, whose white space is collapsed, stands in `passage`; none for a quote without
/// a letter or digit.
pub(super) fn locate(passage: &str, quote: &str) -> Option<Range<usize>> {
    if !quote.contains(char::is_alphanumeric) {
        return None;
    }
    let mut collapsed = String::with_capacity(passage.len());
    // For each word: where it starts in the collapsed text, and in the passage.
    let mut words: Vec<(usize, usize)> = Vec::new();
    let base = passage.as_ptr().addr();
    for word in passage.split_whitespace() {
        if !collapsed.is_empty() {
            collapsed.push(' ');
        }
        words.push((collapsed.len(), word.as_ptr().addr() - base));
        collapsed.push_str(word);
    }
    let at = collapsed.find(quote)?;
    let original = |at: usize| {
        let index = words.partition_point(|(start, _)| *start <= at).checked_sub(1)?;
        words.get(index).map(|(start, original)| original + (at - start))
    };
    // The quote ends in a word, so that its end is found from its last character.
    let last = quote.chars().next_back()?.len_utf8();
    let end = at + quote.len();
    Some(original(at)?..original(end - last)? + last)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::text::collapse_whitespace;

    #[test]
    fn a_quote_is_found_across_line_breaks() {
        let passage = "a bé\n  c d";
        assert_eq!(&passage[locate(passage, "bé c").unwrap()], "bé\n  c");
        assert_eq!(locate(passage, "b c"), None);
        assert_eq!(locate(passage, ""), None);
    }

    proptest::proptest! {
        #[test]
        fn what_is_found_collapses_to_the_quote(passage in "[aé \n\t.]{1,40}", from in 0_usize..20, len in 1_usize..20) {
            let quote: String = collapse_whitespace(&passage).chars().skip(from).take(len).collect();
            let quote = quote.trim();
            if let Some(range) = locate(&passage, quote) {
                assert_eq!(collapse_whitespace(&passage[range]), quote);
            } else {
                assert!(!quote.contains(char::is_alphanumeric));
            }
        }
    }
}
