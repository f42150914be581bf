//! How good an example is, and whether it holds personal data or secrets.

mod pii;
mod score;

use crate::dataset::quarantine::{Quarantined, Sifted};
use crate::dataset::row::{Grounded, Score, Scored};

pub use pii::Pii;

const STAGE: &str = "quality";
/// Below this an example is put aside.
const LEAST: Score = Score::from_hundredths(30);

/// Scores the examples; those that hold personal data or secrets, or score too low, are put aside.
///
/// What is put aside for personal data is named by kind and place only.
#[must_use]
pub fn quality(grounded: Vec<Grounded>) -> Sifted<Scored> {
    let mut sifted = Sifted::new();
    for grounded in grounded {
        let found = personal(&grounded);
        if !found.is_empty() {
            sifted.quarantined.push(withheld(grounded, &found));
            continue;
        }
        let (score, reasons) = score::score(&grounded.candidate);
        let scored = Scored { grounded, score, reasons };
        if score < LEAST {
            let message = format!("score {score}: {}", scored.reasons.join("; "));
            sifted.quarantined.push(scored.quarantine(STAGE, "low_quality", message));
        } else {
            sifted.kept.push(scored);
        }
    }
    sifted
}

/// The kinds of personal data and secrets in all that a row would show.
fn personal(grounded: &Grounded) -> Vec<Pii> {
    let candidate = &grounded.candidate;
    let shown = [&candidate.draft.question, &candidate.draft.answer, &candidate.draft.quote];
    let mut found: Vec<Pii> = shown
        .into_iter()
        .chain(&candidate.item.heading_path)
        .flat_map(|text| pii::scan(text))
        .collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// The quarantine entry without what the model wrote.
fn withheld(grounded: Grounded, found: &[Pii]) -> Quarantined {
    let names: Vec<_> = found.iter().map(|pii| pii.name()).collect();
    let message = format!("holds {}; its text is withheld", names.join(", "));
    let entry = Quarantined::with_draft(grounded.candidate, STAGE, "personal_data", message);
    Quarantined { draft: None, ..entry }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::tests::candidate;
    use crate::dataset::validate::validate;

    fn judge(sentence: &str) -> Sifted<Scored> {
        let grounded = validate(vec![candidate(sentence, sentence, sentence)]);
        assert_eq!(grounded.kept.len(), 1, "{sentence}");
        quality(grounded.kept)
    }

    #[test]
    fn a_copied_sentence_passes_whatever_it_is() {
        for sentence in
            ["The lease lasts 60 seconds by default.", "Run it", "1;Lyon;note", "See `a`"]
        {
            let sifted = judge(sentence);
            assert_eq!(sifted.kept.len(), 1, "{sentence}");
        }
        assert_eq!(judge("The lease lasts 60 seconds.").kept[0].score.to_string().len(), 4);
    }

    #[test]
    fn personal_data_is_put_aside_without_its_text() {
        let sifted = judge("Write to anna.schmidt@firma-mueller.de for an account.");
        let entry = &sifted.quarantined[0];
        assert_eq!((entry.reason.as_str(), &entry.draft), ("personal_data", &None));
        assert!(entry.message.contains("e-mail address") && !entry.message.contains("anna"));
    }
}
