//! The score and what lowers it.

use crate::dataset::row::{Candidate, Score};
use crate::dataset::text::{collapse_whitespace, words};

/// The score of an example, and a reason for each deduction.
///
/// Deductions never add up to a refusal of an honest copy of the passage's first sentence.
pub(super) fn score(candidate: &Candidate) -> (Score, Vec<String>) {
    let draft = &candidate.draft;
    let quoted = words(&draft.quote).count();
    let answered = words(&draft.answer).count();
    let checks: [(bool, u8, &str); 10] = [
        (!draft.question.ends_with(['?', '？', '؟']), 5, "the question has no question mark"),
        (words(&draft.question).count() < 3, 5, "the question is very short"),
        (same(&draft.question, &draft.answer), 60, "the question repeats the answer"),
        (quoted < 5, 10, "the quote is very short"),
        (quoted > 90, 10, "the quote is very long"),
        (answered > 120, 10, "the answer is very long"),
        (!ends_whole(&draft.answer), 5, "the answer ends in the middle of a sentence"),
        (is_noisy(&draft.answer), 15, "the answer is mostly symbols"),
        (repeats(&draft.answer), 15, "the answer repeats itself"),
        (draft.answer.contains("](") || draft.answer.contains("**"), 2, "the answer has markup"),
    ];
    let mut hundredths = 100_u8;
    let mut reasons = Vec::new();
    for (applies, deduction, reason) in checks {
        if applies {
            hundredths = hundredths.saturating_sub(deduction);
            reasons.push(reason.to_owned());
        }
    }
    (Score::from_hundredths(hundredths), reasons)
}

fn same(one: &str, other: &str) -> bool {
    collapse_whitespace(one).to_lowercase() == collapse_whitespace(other).to_lowercase()
}

fn ends_whole(text: &str) -> bool {
    let bare = text.trim_end_matches(|c: char| "\"'”’»)]}*_`".contains(c));
    bare.ends_with(['.', '!', '?', '…', '。', '！', '？'])
}

fn is_noisy(text: &str) -> bool {
    let visible = text.chars().filter(|c| !c.is_whitespace()).count();
    text.chars().filter(|c| c.is_alphabetic()).count() * 2 < visible
}

/// Whether fewer than a third of the words of a longer text are different ones.
fn repeats(text: &str) -> bool {
    let mut all: Vec<String> = words(text).collect();
    let count = all.len();
    all.sort_unstable();
    all.dedup();
    count >= 12 && all.len() * 3 < count
}
