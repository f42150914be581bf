//! How well a sentence answers a question by itself.

use super::markup;
use super::passage::Kind;
use super::question::Lead;
use super::terms;
use super::vocabulary::{AUXILIARIES, COPULAS, POINTERS, bare};

/// How well this sentence of the passage answers a question of this kind by itself; more is better.
pub(super) fn of(sentence: &str, kind: Kind) -> i32 {
    let plain = markup::strip(sentence);
    form(sentence)
        + length(&plain)
        + words(&plain)
        + noise(sentence)
        + wanted(sentence, &plain, kind)
}

/// Whole sentences, not questions, and none that only lead over to something else.
fn form(sentence: &str) -> i32 {
    let last = sentence.trim_end_matches(['"', '”', '»', ')', '*', '_', '`']).chars().next_back();
    match last {
        Some('.' | '!' | '。' | '！' | '…' | '।') => 4,
        Some('?' | '？') => -12,
        Some(':') => -6,
        _ => -2,
    }
}

fn length(plain: &str) -> i32 {
    match plain.chars().count() {
        0..20 => -8,
        20..40 => -1,
        40..=240 => 4,
        241..=400 => 0,
        _ => -8,
    }
}

/// Sentences with a verb that stand without the one before, and name things.
fn words(plain: &str) -> i32 {
    let words: Vec<String> = plain.split_whitespace().map(bare).collect();
    let is_verb = |word: &String| {
        COPULAS.contains(word.as_str())
            || AUXILIARIES.contains(word.as_str())
            || ["ed", "es"].iter().any(|end| word.len() > 4 && word.ends_with(end))
    };
    let mut score = if words.iter().skip(1).any(is_verb) { 3 } else { 0 };
    if words.first().is_some_and(|word| POINTERS.contains(word.as_str())) {
        score -= 3;
    }
    if plain.starts_with(char::is_lowercase) {
        score -= 2;
    }
    score + i32::try_from(terms::key(plain, "", 6).len()).unwrap_or(0)
}

/// Code, addresses and bare numbers.
fn noise(sentence: &str) -> i32 {
    let chars = sentence.chars().count().max(1);
    let share = |found: usize| found * 100 / chars;
    let signs = share(sentence.matches(|c| "|{}<>=;\\/#$~^[]+@&".contains(c)).count());
    let digits = share(sentence.matches(char::is_numeric).count());
    let mut score = 0;
    if signs > 4 {
        score -= 4;
    }
    if signs > 12 {
        score -= 8;
    }
    if digits > 25 {
        score -= 4;
    }
    if sentence.contains("://") {
        score -= 3;
    }
    score
}

/// Sentences of the form that the kind asks for.
fn wanted(sentence: &str, plain: &str, kind: Kind) -> i32 {
    match (kind, Lead::of(sentence, plain)) {
        (Kind::Definition, Lead::Definition { .. }) | (Kind::Procedural, Lead::Deed(_)) => 10,
        (Kind::Procedural, Lead::Condition { .. }) => 4,
        (Kind::Factual, Lead::Subject(_)) => 2,
        (Kind::Factual, _) if plain.contains(char::is_numeric) => 1,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_that_stand_alone_come_before_those_that_do_not() {
        let good = "The database keeps every job until its last stage has been committed.";
        for worse in [
            "Does the database keep every job until its last stage is committed?",
            "It keeps every job until its last stage has been committed there.",
            "The database keeps every job, as follows, in its tables on the disk:",
            "Database of jobs",
            "let x = { a: [1, 2, 3] }; y |= x << 2; return <T>::new(x)?;",
            "See https://example.org/a/b/c?d=e for the database of jobs and stages.",
        ] {
            assert!(of(good, Kind::Factual) > of(worse, Kind::Factual), "{worse}");
        }
    }

    #[test]
    fn each_kind_has_its_own_favourite() {
        let definition = "A lease is the stored right of one worker to write for a job.";
        let procedural = "To start a worker, run the program with the name of a queue.";
        assert!(of(definition, Kind::Definition) > of(procedural, Kind::Definition));
        assert!(of(procedural, Kind::Procedural) > of(definition, Kind::Procedural));
    }
}
