//! Leaving out near-duplicates, and what is too much of one kind.

mod balance;
mod shingles;

use std::collections::BTreeMap;

use crate::dataset::quarantine::{Quarantined, Sifted};
use crate::dataset::row::Scored;
use crate::dataset::settings::Mix;
use crate::dataset::text::words;

use shingles::{Nearest, shingles};

const STAGE: &str = "dedup";
/// Answers that share so many of a hundred shingles say the same.
const ANSWERS_ALIKE: usize = 80;
/// Quotes that share so many may not be in different splits.
const QUOTES_ALIKE: usize = 80;

/// Keeps of examples that say the same the best, or the first; then puts aside what is far too much
/// of one kind.
///
/// Examples say the same when their answers do, whatever was asked. Across splits, alike quotes
/// are enough, so that no split knows another's text.
#[must_use]
pub fn dedup(scored: Vec<Scored>, mix: &Mix) -> Sifted<Scored> {
    let mut order: Vec<usize> = (0..scored.len()).collect();
    let score_of = |at: usize| scored.get(at).map(|one| one.score);
    order.sort_by(|one, other| score_of(*other).cmp(&score_of(*one)).then(one.cmp(other)));
    let mut doubles: BTreeMap<usize, usize> = near(&order, &scored, &Likeness::ANSWERS);
    order.retain(|at| !doubles.contains_key(at));
    doubles.append(&mut near(&order, &scored, &Likeness::QUOTES));
    let keys: BTreeMap<usize, String> = doubles
        .values()
        .filter_map(|first| Some((*first, scored.get(*first)?.grounded.candidate.item.key.clone())))
        .collect();
    let mut kept = Vec::new();
    let mut quarantined: Vec<(String, Quarantined)> = Vec::new();
    for (at, one) in scored.into_iter().enumerate() {
        match doubles.get(&at) {
            Some(first) => {
                let other = keys.get(first).map_or("another", String::as_str);
                let message = format!("says nearly the same as {other}");
                let key = one.grounded.candidate.item.key.clone();
                quarantined.push((key, one.quarantine(STAGE, "near_duplicate", message)));
            }
            None => kept.push(one),
        }
    }
    let (kept, excess) = balance::balance(kept, mix);
    for one in excess {
        let message = format!("too many of kind {}", one.grounded.candidate.item.kind);
        let key = one.grounded.candidate.item.key.clone();
        quarantined.push((key, one.quarantine(STAGE, "kind_overrepresented", message)));
    }
    quarantined.sort_by(|one, other| one.0.cmp(&other.0));
    Sifted { kept, quarantined: quarantined.into_iter().map(|(_, entry)| entry).collect() }
}

/// By which text, from which likeness on, and where, two examples are doubles.
struct Likeness {
    text: fn(&Scored) -> &str,
    alike: usize,
    across_splits_only: bool,
}

impl Likeness {
    const ANSWERS: Self = Self {
        text: |one| &one.grounded.candidate.draft.answer,
        alike: ANSWERS_ALIKE,
        across_splits_only: false,
    };
    const QUOTES: Self = Self {
        text: |one| &one.grounded.candidate.draft.quote,
        alike: QUOTES_ALIKE,
        across_splits_only: true,
    };
}

/// For each double, in `order`, the earlier one that it is like.
fn near(order: &[usize], scored: &[Scored], likeness: &Likeness) -> BTreeMap<usize, usize> {
    let sets: Vec<(usize, Vec<u64>)> = order
        .iter()
        .filter_map(|at| Some((*at, shingles(words((likeness.text)(scored.get(*at)?))))))
        .collect();
    let mut nearest = Nearest::new(likeness.alike, sets.iter().map(|(_, set)| set.as_slice()));
    let split = |at: usize| scored.get(at).map(|one| one.grounded.candidate.item.split);
    let mut doubles = BTreeMap::new();
    for (at, set) in &sets {
        let allowed = |other: usize| !likeness.across_splits_only || split(other) != split(*at);
        match nearest.find(set, allowed) {
            Some(first) => {
                doubles.insert(*at, first);
            }
            None => nearest.insert(*at, set.clone()),
        }
    }
    doubles
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::plan::Split;
    use crate::dataset::row::Score;
    use crate::dataset::tests::candidate;
    use crate::dataset::validate::validate;

    fn scored(key: &str, answer: &str, hundredths: u8) -> Scored {
        let mut candidate = candidate(answer, answer, answer);
        candidate.item.key = key.to_owned();
        let grounded = validate(vec![candidate]).kept.pop().unwrap();
        Scored { grounded, score: Score::from_hundredths(hundredths), reasons: Vec::new() }
    }

    fn keys(sifted: &Sifted<Scored>) -> Vec<&str> {
        sifted.kept.iter().map(|one| one.grounded.candidate.item.key.as_str()).collect()
    }

    const LONG: &str = "A killed worker never loses a job since its lease runs out and another worker takes it over";

    #[test]
    fn of_near_duplicates_the_best_is_kept_and_the_other_named() {
        let all = vec![
            scored("1", LONG, 80),
            scored("2", &format!("{LONG}."), 90),
            scored("3", "Something else altogether stands here.", 50),
        ];
        let sifted = dedup(all, &Mix::default());
        assert_eq!(keys(&sifted), ["2", "3"]);
        assert_eq!(sifted.quarantined[0].key, "1");
        assert!(sifted.quarantined[0].message.ends_with(" 2"));
    }

    #[test]
    fn a_constant_question_does_not_make_all_examples_alike() {
        let all = (0..50).map(|n| {
            let words = ["lease", "budget", "ledger", "stage", "worker"];
            let text = format!("Part {n} of the {} says number {} of it.", words[n % 5], n * n);
            scored(&n.to_string(), &text, 90)
        });
        assert_eq!(dedup(all.collect(), &Mix::default()).kept.len(), 50);
    }

    #[test]
    fn no_near_duplicate_is_in_two_splits() {
        let mut other = scored("2", LONG, 90);
        other.grounded.candidate.item.split = Split::Test;
        other.grounded.candidate.draft.answer = "it runs out".to_owned();
        let sifted = dedup(vec![scored("1", LONG, 80), other], &Mix::default());
        assert_eq!(keys(&sifted), ["2"]);
    }

    #[test]
    fn many_texts_with_common_words_are_compared_soon() {
        let all = (0..3000).map(|n| {
            let text = format!("It is said in the text that the number is {} and {}.", n, n * 7);
            scored(&n.to_string(), &text, 90)
        });
        let sifted = dedup(all.collect(), &Mix::default());
        assert_eq!(sifted.kept.len() + sifted.quarantined.len(), 3000);
    }
}
