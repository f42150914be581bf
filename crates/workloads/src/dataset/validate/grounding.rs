//! Whether a quote supports an answer.

use std::collections::BTreeSet;

use crate::dataset::text::{collapse_whitespace, words};

/// Of ten content words of an answer, so many must stand in the quote.
const SUPPORTED_OF_TEN: usize = 6;

/// Words that carry no content of their own.
const FUNCTION_WORDS: &[&str] = &[
    "a", "about", "an", "and", "any", "are", "as", "at", "be", "because", "been", "but", "by",
    "can", "did", "do", "does", "each", "for", "from", "has", "have", "how", "if", "in", "into",
    "is", "it", "its", "may", "must", "no", "not", "of", "on", "one", "only", "or", "should", "so",
    "than", "that", "the", "their", "them", "then", "there", "these", "they", "this", "those",
    "to", "was", "were", "what", "when", "where", "which", "while", "who", "will", "with", "would",
    "yes", "you", "your",
];

/// Why a quote does not support an answer.
pub(super) struct Ungrounded {
    pub(super) reason: &'static str,
    pub(super) message: String,
}

/// Checks that the answer says nothing that the quote does not.
///
/// A copy of the quote, or of a part of it, always passes. Otherwise every number of the answer
/// must stand in the quote, and most of its content words, compared by their first letters so that
/// an ending may differ.
pub(super) fn check(answer: &str, quote: &str) -> Result<(), Ungrounded> {
    let answer = collapse_whitespace(answer);
    if quote.contains(answer.as_str()) {
        return Ok(());
    }
    let quoted: BTreeSet<String> = words(quote).collect();
    let stems: BTreeSet<String> = quoted.iter().map(|word| stem(word)).collect();
    let (mut content, mut supported) = (0, 0);
    for word in words(&answer) {
        if word.contains(|c: char| c.is_ascii_digit()) {
            if !quoted.contains(&word) {
                return Err(Ungrounded {
                    reason: "unsupported_number",
                    message: "a number of the answer does not stand in the quote".to_owned(),
                });
            }
        } else if FUNCTION_WORDS.contains(&word.as_str()) {
            continue;
        }
        content += 1;
        supported += usize::from(stems.contains(&stem(&word)));
    }
    if supported * 10 < content * SUPPORTED_OF_TEN {
        return Err(Ungrounded {
            reason: "unsupported_answer",
            message: format!("{supported} of {content} content words stand in the quote"),
        });
    }
    Ok(())
}

/// The first letters of a word, by which forms of one word are taken as one.
fn stem(word: &str) -> String {
    let count = word.chars().count();
    let kept = if count <= 4 { count } else { (count * 2 / 3).max(4) };
    word.chars().take(kept).collect()
}
