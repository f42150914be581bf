//! One word, one meaning: the names that the glossary refuses stand in no identifier, no SQL, no
//! route and no metric.

use super::glossary::Forbidden;
use crate::problem::Problem;
use crate::source::{Kind, Source};
use crate::sql;
use crate::tree::{File, Tree};

/// Names of other libraries that contain a refused word and that cannot be helped.
const FOREIGN: [&str; 1] = ["UNIX_EPOCH"];

/// The refused words in the names and in the name-like strings of a Rust file.
pub(super) fn check_rust(file: &File, source: &Source, forbidden: &[Forbidden]) -> Vec<Problem> {
    let mut problems = Vec::new();
    for token in source.tokens() {
        let text = match &token.kind {
            Kind::Word(word) => word,
            // Routes, metrics, columns and keys have no white space; prose has.
            Kind::Text(text) if !text.contains(char::is_whitespace) => text,
            Kind::Text(_) | Kind::Mark(_) => continue,
        };
        problems.extend(check_text(file, token.line, text, forbidden));
    }
    problems
}

/// The refused words in the SQL files, their comments left aside.
pub(super) fn check_sql(tree: &Tree, forbidden: &[Forbidden]) -> Vec<Problem> {
    let mut problems = Vec::new();
    for file in tree.sql() {
        for (line, text) in (1..).zip(sql::bare(&file.text).lines()) {
            problems.extend(check_text(file, line, text, forbidden));
        }
    }
    problems
}

fn check_text(file: &File, line: usize, text: &str, forbidden: &[Forbidden]) -> Vec<Problem> {
    let mut problems = Vec::new();
    for name in text.split(|char: char| !char.is_alphanumeric() && char != '_') {
        let Some(Forbidden { name: refused, instead }) = refused(name, forbidden) else { continue };
        let says = format!(
            "`{name}` has the word `{refused}`, which docs/glossary.md does not use; what is meant \
             is called `{instead}` here"
        );
        problems.push(Problem::at(&file.path, line, says));
    }
    problems
}

fn refused<'a>(name: &str, forbidden: &'a [Forbidden]) -> Option<&'a Forbidden> {
    if FOREIGN.contains(&name) {
        return None;
    }
    let words = words_of(name);
    forbidden.iter().find(|forbidden| {
        let refused: Vec<&str> = forbidden.name.split('_').collect();
        words.windows(refused.len()).any(|window| {
            let pairs = window.iter().zip(&refused);
            pairs
                .clone()
                .all(|(word, refused)| word.trim_end_matches('s') == refused.trim_end_matches('s'))
        })
    })
}

/// The words of a name in any style: `JobState`, `job_state`, `JOB_STATE`.
fn words_of(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut previous_is_lower = false;
    for char in name.chars() {
        let starts_word = char == '_' || (char.is_uppercase() && previous_is_lower);
        if starts_word {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut()
            && char != '_'
        {
            word.extend(char.to_lowercase());
        }
        previous_is_lower = char.is_lowercase() || char.is_numeric();
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::super::glossary::Forbidden;
    use super::{refused, words_of};

    fn refuses(name: &str) -> bool {
        let forbidden = ["red_fish", "crab"]
            .map(|name| Forbidden { name: name.to_owned(), instead: "fish".to_owned() });
        refused(name, &forbidden).is_some()
    }

    #[test]
    fn a_refused_word_is_found_in_every_style_and_number() {
        for name in
            ["red_fish", "RedFish", "RED_FISH", "old_red_fish_at", "crab", "Crabs", "crab_id"]
        {
            assert!(refuses(name), "{name}");
        }
    }

    #[test]
    fn parts_of_a_word_are_not_the_word() {
        for name in ["redfish", "fish", "red", "crabby", "infrared_fisher", ""] {
            assert!(!refuses(name), "{name}");
        }
    }

    #[test]
    fn names_fall_into_their_words() {
        assert_eq!(words_of("HTTPServerError2Code"), ["httpserver", "error2", "code"]);
        assert_eq!(words_of("__a_B"), ["a", "b"]);
    }
}
