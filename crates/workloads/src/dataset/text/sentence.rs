//! Where sentences begin and end.

use std::ops::Range;

/// Words that end in a full stop without ending a sentence, in lower case.
const ABBREVIATIONS: &[&str] = &[
    "al", "approx", "art", "bzw", "ca", "cf", "ch", "dr", "e.g", "ed", "eq", "fig", "figs", "i.e",
    "inc", "jr", "ltd", "mr", "mrs", "ms", "mt", "no", "nr", "p", "pp", "prof", "resp", "sec",
    "sr", "st", "vol", "vs", "z.b",
];

/// The byte ranges of the sentences of `text`, in order, without the white space around them.
///
/// A sentence ends after `.`, `!`, `?` or `…` (and closing quotes, brackets or emphasis) before
/// white space and anything but a lower-case letter; after `。`, `！` or `？` anywhere; and at an
/// empty line. Line breaks alone end nothing, since prose is wrapped.
#[must_use]
pub fn sentences(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut rest = text.char_indices().peekable();
    while let Some((at, c)) = rest.next() {
        let end = match c {
            '。' | '！' | '？' => at + c.len_utf8() + closers(&text[at + c.len_utf8()..]),
            '.' | '!' | '?' | '…' => {
                let end = at + c.len_utf8() + closers(&text[at + c.len_utf8()..]);
                if !ends_here(text, start, at, c, end) {
                    continue;
                }
                end
            }
            '\n' if is_blank_line(&text[at + 1..]) => at,
            _ => continue,
        };
        push_trimmed(&mut found, text, start..end);
        start = end;
        while rest.next_if(|(next, _)| *next < end).is_some() {}
    }
    push_trimmed(&mut found, text, start..text.len());
    found
}

/// How many bytes of closing quotes, brackets and emphasis `text` begins with.
fn closers(text: &str) -> usize {
    let is_closer = |c: char| "\"'”’»)]}*_`".contains(c);
    text.len() - text.trim_start_matches(is_closer).len()
}

/// Whether the mark at `at` ends the sentence that began at `start`; `end` is past its closers.
fn ends_here(text: &str, start: usize, at: usize, mark: char, end: usize) -> bool {
    let after = &text[end..];
    let Some(next) = after.chars().next() else { return true };
    if !next.is_whitespace() {
        return false;
    }
    let following = after.trim_start().chars().next();
    if following.is_some_and(char::is_lowercase) {
        return false;
    }
    mark != '.' || !is_abbreviation(&text[start..at])
}

/// Whether the last word of `before` is an abbreviation or an initial.
fn is_abbreviation(before: &str) -> bool {
    // No abbreviation is longer than this, so that a text without spaces costs nothing.
    let tail_from = before.char_indices().rev().take(8).last().map_or(0, |(at, _)| at);
    let tail = &before[tail_from..];
    let Some(word) = tail.rsplit(|c: char| c.is_whitespace() || "(\"'*_`[".contains(c)).next()
    else {
        return false;
    };
    let mut letters = word.chars();
    if let (Some(letter), None) = (letters.next(), letters.next()) {
        return letter.is_uppercase() && letter != 'I';
    }
    ABBREVIATIONS.contains(&word.to_lowercase().as_str())
}

/// Whether the line that begins here has nothing but spaces.
fn is_blank_line(rest: &str) -> bool {
    let line = rest.trim_start_matches([' ', '\t', '\r']);
    line.starts_with('\n')
}

fn push_trimmed(found: &mut Vec<Range<usize>>, text: &str, range: Range<usize>) {
    let piece = &text[range.clone()];
    let start = range.start + (piece.len() - piece.trim_start().len());
    let end = range.end - (piece.len() - piece.trim_end().len());
    if start < end {
        found.push(start..end);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(text: &str) -> Vec<&str> {
        sentences(text).into_iter().map(|range| &text[range]).collect()
    }

    #[test]
    fn sentences_end_at_marks_and_not_at_line_breaks() {
        assert_eq!(
            split("A worker\nclaims a job. It runs!  \"Done?\" Yes"),
            ["A worker\nclaims a job.", "It runs!", "\"Done?\"", "Yes"]
        );
    }

    #[test]
    fn abbreviations_numbers_and_initials_end_nothing() {
        let one = "Use e.g. Postgres 16.2 as Dr. A. Smith did in v1.0 of the tool.";
        assert_eq!(split(one), [one]);
    }

    #[test]
    fn an_empty_line_ends_a_sentence() {
        assert_eq!(split("no mark\n \nnext"), ["no mark", "next"]);
    }

    #[test]
    fn ideographic_stops_end_a_sentence_without_a_space() {
        assert_eq!(split("今日は晴れ。明日は雨。"), ["今日は晴れ。", "明日は雨。"]);
    }

    proptest::proptest! {
        #[test]
        fn sentences_are_in_order_and_never_overlap(text in ".{0,200}") {
            let mut last = 0;
            for range in sentences(&text) {
                assert!(range.start >= last && range.end > range.start);
                assert_eq!(text[range.clone()].trim(), &text[range.clone()]);
                last = range.end;
            }
        }
    }
}
