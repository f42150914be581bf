//! Finds the words that set a sentence apart.

use super::vocabulary::{STOP_WORDS, bare};

/// A longer word is no word that one would ask for.
const LONGEST: usize = 32;

/// The words of `text` that say most about it, at most so many, in the order in which they stand.
/// Words that stand in `known` too are left out.
pub(super) fn key<'a>(text: &'a str, known: &str, most: usize) -> Vec<&'a str> {
    let mut seen: Vec<String> = known.split(is_between_terms).map(bare).collect();
    let mut terms: Vec<(usize, &str)> = Vec::new();
    for (place, word) in text.split(is_between_terms).enumerate() {
        let term = word.trim_matches(|c: char| !c.is_alphanumeric());
        let term = term.strip_suffix("'s").or_else(|| term.strip_suffix("’s")).unwrap_or(term);
        let lower = term.to_lowercase();
        if says_something(term, &lower) && !seen.contains(&lower) {
            seen.push(lower);
            terms.push((place, term));
        }
    }
    terms.sort_by_key(|&(place, term)| (std::cmp::Reverse(weight(place, term)), place));
    terms.truncate(most);
    terms.sort_by_key(|&(place, _)| place);
    terms.into_iter().map(|(_, term)| term).collect()
}

/// The terms as a part of a sentence: "a", "a and b", "a, b and c".
pub(super) fn list(terms: &[&str]) -> String {
    match terms {
        [] => String::new(),
        [only] => (*only).to_owned(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

fn is_between_terms(c: char) -> bool {
    c.is_whitespace() || "()[]{}<>\"“”„«»,;=|".contains(c)
}

fn says_something(term: &str, lower: &str) -> bool {
    let chars = term.chars().count();
    let stands_out = term.chars().any(|c| c.is_numeric() || c.is_uppercase() || !c.is_ascii());
    chars <= LONGEST && (chars >= 3 || (chars >= 1 && stands_out)) && !STOP_WORDS.contains(lower)
}

/// Names, numbers and compounds weigh more than plain words, and long words more than short ones.
fn weight(place: usize, term: &str) -> usize {
    let is_name = term.chars().skip(usize::from(place == 0)).any(char::is_uppercase);
    let is_number = term.contains(char::is_numeric);
    let is_compound = term.contains(['_', '-', '.', '/', ':']);
    term.chars().count().min(12)
        + 4 * usize::from(is_name)
        + 6 * usize::from(is_number)
        + 3 * usize::from(is_compound)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_numbers_and_long_words_are_kept_in_their_order() {
        let text = "The queue drains within 30 seconds when Koinon's max_attempts is set.";
        assert_eq!(key(text, "", 4), ["30", "seconds", "Koinon", "max_attempts"]);
        assert_eq!(key(text, "Koinon (seconds)", 2), ["30", "max_attempts"]);
        assert_eq!(key("It is the one, and it is so.", "", 3), Vec::<&str>::new());
        assert_eq!(key("f(alpha=\"beta\"), [gamma]", "", 3), ["alpha", "beta", "gamma"]);
        assert_eq!(key("Lease lease LEASE", "", 3), ["Lease"]);
    }

    #[test]
    fn terms_are_listed_as_in_a_sentence() {
        assert_eq!(list(&["a"]), "a");
        assert_eq!(list(&["a", "b"]), "a and b");
        assert_eq!(list(&["a", "b", "c"]), "a, b and c");
    }
}
