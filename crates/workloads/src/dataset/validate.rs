//! Whether an answer is true to its passage: the quote stands in it, and supports the answer.

mod grounding;
mod locate;

use crate::dataset::quarantine::{Quarantined, Sifted};
use crate::dataset::row::{Candidate, Grounded};
use crate::dataset::span::Span;
use crate::dataset::text::collapse_whitespace;

const STAGE: &str = "validate";

/// Keeps the candidates whose quote stands in the passage and supports the answer.
#[must_use]
pub fn validate(candidates: Vec<Candidate>) -> Sifted<Grounded> {
    let mut sifted = Sifted::new();
    for candidate in candidates {
        match ground(candidate) {
            Ok(grounded) => sifted.kept.push(grounded),
            Err(quarantined) => sifted.quarantined.push(*quarantined),
        }
    }
    sifted
}

fn ground(mut candidate: Candidate) -> Result<Grounded, Box<Quarantined>> {
    let refuse = |candidate, reason: &str, message: String| {
        Err(Box::new(Quarantined::with_draft(candidate, STAGE, reason, message)))
    };
    let quote = collapse_whitespace(&candidate.draft.quote);
    let Some(range) = locate::locate(&candidate.item.passage, &quote) else {
        let message = "the quote does not stand in the passage".to_owned();
        return refuse(candidate, "quote_not_found", message);
    };
    if let Err(ungrounded) = grounding::check(&candidate.draft.answer, &quote) {
        return refuse(candidate, ungrounded.reason, ungrounded.message);
    }
    let item = &candidate.item;
    let length = |from: usize, to: usize| {
        item.passage.get(from..to).map_or(0, |text| item.encoding.source_len(text))
    };
    let start = item.passage_span.start + length(0, range.start);
    let span = Span::new(start, start + length(range.start, range.end));
    candidate.draft.quote = quote;
    Ok(Grounded { candidate, span })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::tests::candidate;

    fn verdict(passage: &str, answer: &str, quote: &str) -> Result<(String, Span), String> {
        let mut sifted = validate(vec![candidate(passage, answer, quote)]);
        match sifted.kept.pop() {
            Some(grounded) => Ok((grounded.candidate.draft.quote, grounded.span)),
            None => Err(sifted.quarantined.pop().unwrap().reason),
        }
    }

    #[test]
    fn a_copied_sentence_is_grounded_with_its_exact_span() {
        let passage = "Größe zählt. The lease\n  lasts 60 seconds. More.";
        let copied = "The lease lasts 60 seconds.";
        let (quote, span) = verdict(passage, copied, copied).unwrap();
        assert_eq!(quote, copied);
        // The passage of the factory starts at byte 100; the umlauts take two bytes each.
        assert_eq!(span, Span::new(116, 145));
    }

    #[test]
    fn a_quote_from_elsewhere_and_an_invented_number_are_refused() {
        let passage = "The lease lasts 60 seconds by default.";
        assert_eq!(verdict(passage, "x", "It lasts an hour.").unwrap_err(), "quote_not_found");
        assert_eq!(
            verdict(passage, "The lease lasts 90 seconds.", passage).unwrap_err(),
            "unsupported_number"
        );
        assert_eq!(
            verdict(passage, "Workers drain gracefully before stopping.", passage).unwrap_err(),
            "unsupported_answer"
        );
        assert_eq!(verdict(passage, "60 seconds", "...").unwrap_err(), "quote_not_found");
    }

    #[test]
    fn an_answer_in_other_words_passes_when_most_words_are_quoted() {
        let passage = "By default the lease lasts 60 seconds.";
        assert!(verdict(passage, "It lasts 60 seconds by default.", passage).is_ok());
        assert!(verdict(passage, "60 seconds", passage).is_ok());
    }
}
