//! Makes the question that a sentence answers.

use super::terms;
use super::vocabulary::{
    AUXILIARIES, COPULAS, DETERMINERS, IMPERATIVES, POINTERS, RELATIVES, bare,
};

/// The longest subject, in words.
const SUBJECT_WORDS: usize = 8;

/// The longest deed or condition, in words.
const CLAUSE_WORDS: usize = 12;

/// What may stand around a plain word; code marks may not.
const PUNCTUATION: [char; 8] = ['.', ',', ';', ':', '!', '?', '(', ')'];

/// How much of a sentence without any term is quoted, in characters.
const QUOTED_CHARS: usize = 40;

/// How a sentence begins, as far as it says what to ask.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Lead<'a> {
    /// "X is a …"
    Definition { subject: &'a str, copula: String },
    /// "To do X, …" or "Do X …"
    Deed(&'a str),
    /// "If X, …"
    Condition { word: String, clause: &'a str },
    /// "X can …", "X is done …"
    Subject(&'a str),
    /// Anything else.
    Other,
}

impl<'a> Lead<'a> {
    /// How this sentence begins; `plain` is the same without markup.
    pub(super) fn of(sentence: &str, plain: &'a str) -> Self {
        let words: Vec<(usize, &str)> = words(plain);
        // A word of code is a name, even if it looks like a verb.
        let names_code = sentence.starts_with('`');
        deed(plain, &words)
            .filter(|_| !names_code)
            .or_else(|| condition(plain, &words))
            .or_else(|| subject(plain, &words))
            .unwrap_or(Self::Other)
    }
}

/// The question. It holds words of the sentence that its lead does not have, so that sentences with
/// the same lead give different questions.
pub(super) fn ask(lead: &Lead<'_>, plain: &str, passage: &str) -> String {
    let about = |known: &str, most| terms::list(&terms::key(plain, known, most));
    match lead {
        Lead::Definition { subject, copula } => {
            let aspects = tail(", in terms of ", &about(subject, 2));
            format!("What {copula} {}{aspects}?", uncapitalized(subject, passage))
        }
        Lead::Deed(deed) => {
            let parts = terms::key(plain, deed, 2);
            let role = match parts.len() {
                0 => String::new(),
                1 => format!(", and what part does {} play", terms::list(&parts)),
                _ => format!(", and what part do {} play", terms::list(&parts)),
            };
            format!("How do you {}{role}?", lower_first(deed))
        }
        Lead::Condition { word, clause } => {
            let aspects = tail(" with regard to ", &about(clause, 2));
            format!("What happens{aspects} {word} {clause}?")
        }
        Lead::Subject(subject) => {
            let aspects = tail(" with regard to ", &about(subject, 3));
            format!("What is said about {}{aspects}?", uncapitalized(subject, passage))
        }
        Lead::Other => match about("", 4) {
            terms if terms.is_empty() => {
                let start: String = plain.chars().take(QUOTED_CHARS).collect();
                format!("What does the text say where it reads “{}”?", start.trim_end())
            }
            terms => format!("What is said about {terms}?"),
        },
    }
}

fn tail(before: &str, terms: &str) -> String {
    if terms.is_empty() { String::new() } else { format!("{before}{terms}") }
}

fn deed<'a>(plain: &'a str, words: &[(usize, &'a str)]) -> Option<Lead<'a>> {
    let first = bare(words.first()?.1);
    let second = bare(words.get(1)?.1);
    if first == "to" {
        let names_a_place = DETERMINERS.contains(second.as_str());
        let clause = clause(plain, words, 1)?;
        return (!names_a_place && clause.ends_at_comma).then_some(Lead::Deed(clause.text));
    }
    let is_noun =
        words.iter().take(5).any(|(_, word)| COPULAS.contains(word) || AUXILIARIES.contains(word));
    let is_step = IMPERATIVES.contains(first.as_str()) && !is_noun;
    is_step.then(|| clause(plain, words, 0)).flatten().map(|clause| Lead::Deed(clause.text))
}

fn condition<'a>(plain: &'a str, words: &[(usize, &'a str)]) -> Option<Lead<'a>> {
    let word = bare(words.first()?.1);
    if !matches!(word.as_str(), "if" | "when" | "while" | "once" | "after" | "before") {
        return None;
    }
    let clause = clause(plain, words, 1)?;
    clause.ends_at_comma.then_some(Lead::Condition { word, clause: clause.text })
}

fn subject<'a>(plain: &'a str, words: &[(usize, &'a str)]) -> Option<Lead<'a>> {
    let is_verb = |word: &str| COPULAS.contains(word) || AUXILIARIES.contains(word);
    let at = words.iter().take(SUBJECT_WORDS + 1).position(|(_, word)| is_verb(word))?;
    let (first, names) = (bare(words.first()?.1), &words[..at]);
    let names_something = !names.is_empty()
        && !POINTERS.contains(first.as_str())
        && names.iter().all(|(_, word)| {
            !word.ends_with([',', ';', ':', '.', '(', ')', '"', '”'])
                && !word.starts_with(['(', '"', '“'])
                && !RELATIVES.contains(word.to_lowercase().as_str())
        });
    if !names_something {
        return None;
    }
    let (verb_at, verb) = words[at];
    let subject = plain[..verb_at].trim();
    let defines = COPULAS.contains(verb)
        && words.get(at + 1).is_some_and(|(_, word)| DETERMINERS.contains(word));
    Some(if defines {
        Lead::Definition { subject, copula: verb.to_owned() }
    } else {
        Lead::Subject(subject)
    })
}

struct Clause<'a> {
    text: &'a str,
    ends_at_comma: bool,
}

/// The clause that begins with the word of this number, up to a comma or the like, or as far as a
/// question may go. `None` when it is too short to ask for.
fn clause<'a>(plain: &'a str, words: &[(usize, &'a str)], from: usize) -> Option<Clause<'a>> {
    let clause = words.get(from..)?;
    let stop =
        clause.iter().take(CLAUSE_WORDS).position(|(_, word)| word.ends_with([',', ';', ':']));
    let last = stop.unwrap_or_else(|| clause.len().min(CLAUSE_WORDS).saturating_sub(1));
    let (start, (end, word)) = (clause.first()?.0, *clause.get(last)?);
    let text = plain[start..end + word.len()].trim_end_matches(|c: char| {
        matches!(c, ',' | ';' | ':' | '.' | '!' | '?') || c.is_whitespace()
    });
    (last >= 1).then_some(Clause { text, ends_at_comma: stop.is_some() })
}

/// Each word and where it begins.
fn words(text: &str) -> Vec<(usize, &str)> {
    let start = text.as_ptr().addr();
    text.split_whitespace().map(|word| (word.as_ptr().addr() - start, word)).collect()
}

/// The subject as it would stand within a sentence: its first letter is small when it is a determiner
/// or the passage has that word with a small letter too.
fn uncapitalized(subject: &str, passage: &str) -> String {
    let first = subject.split_whitespace().next().unwrap_or_default();
    let small = lower_first(first);
    let is_plain = DETERMINERS.contains(small.as_str())
        || passage.split_whitespace().any(|word| word.trim_matches(PUNCTUATION) == small);
    if is_plain { lower_first(subject) } else { subject.to_owned() }
}

fn lower_first(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |c| c.to_lowercase().chain(chars).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn question(sentence: &str) -> String {
        ask(&Lead::of(sentence, sentence), sentence, "a passage where workers wait for `koinon`")
    }

    #[test]
    fn a_sentence_gives_the_question_that_it_answers() {
        for (sentence, expected) in [
            ("Koinon is a durable job engine.", "What is Koinon, in terms of durable and engine?"),
            (
                "The lease of a job is the stored right of one worker.",
                "What is the lease of a job, in terms of stored and worker?",
            ),
            (
                "Workers are the processes that claim jobs.",
                "What are workers, in terms of processes and claim?",
            ),
            (
                "To start a worker, run koinon-worker with a queue.",
                "How do you start a worker, and what part do koinon-worker and queue play?",
            ),
            (
                "Run the migrations before the first start.",
                "How do you run the migrations before the first start?",
            ),
            (
                "If the lease expires, another worker takes the job over.",
                "What happens with regard to another and worker if the lease expires?",
            ),
            (
                "A stale worker cannot overwrite its replacement.",
                "What is said about a stale worker with regard to overwrite and replacement?",
            ),
            (
                "Heartbeats renew leases every 15 seconds.",
                "What is said about Heartbeats, leases, 15 and seconds?",
            ),
            ("It is so.", "What does the text say where it reads “It is so.”?"),
        ] {
            assert_eq!(question(sentence), expected);
        }
    }

    #[test]
    fn sentences_with_the_same_lead_give_different_questions() {
        let sentences = [
            "Koinon is a job engine.",
            "Koinon is a set of Rust crates.",
            "The limit is 5 items.",
            "The limit is 50 items.",
            "To stop, press Escape.",
            "To stop a worker, press Escape.",
            "To stop a worker, send a signal.",
            "If it fails, the job waits.",
            "If it fails, the worker stops.",
        ];
        let mut questions: Vec<String> = sentences.iter().map(|s| question(s)).collect();
        questions.sort();
        questions.dedup();
        assert_eq!(questions.len(), sentences.len(), "{questions:#?}");
    }
}
