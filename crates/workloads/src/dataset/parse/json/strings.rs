//! The strings of a JSON text with their places, which `serde_json` does not tell.

use std::ops::Range;

use crate::dataset::parse::builder::Segment;
use crate::dataset::text::{collapse_whitespace, truncate};

/// The longest key that a path keeps, in bytes.
const KEY_BYTES: usize = 100;
/// The deepest path that is kept.
const KEYS: usize = 16;

/// A string value.
#[derive(Debug)]
pub(super) struct JsonString {
    /// The object keys that lead to it, outermost first.
    pub(super) keys: Vec<String>,
    /// Its text; escapes are literals.
    pub(super) segments: Vec<Segment>,
}

/// The string values of well-formed JSON, without recursion; on anything else, some of them.
#[derive(Debug)]
pub(super) struct Strings<'t> {
    text: &'t str,
    at: usize,
    end: usize,
    /// For each open container, the key that was read last; none in an array.
    open: Vec<Option<String>>,
}

impl<'t> Strings<'t> {
    pub(super) const fn new(text: &'t str, range: Range<usize>) -> Self {
        Self { text, at: range.start, end: range.end, open: Vec::new() }
    }

    fn byte(&self, at: usize) -> Option<u8> {
        self.text.as_bytes().get(at).copied().filter(|_| at < self.end)
    }

    /// Whether a colon comes next, so that the string before it was a key.
    fn is_key(&self) -> bool {
        let mut at = self.at;
        while self.byte(at).is_some_and(|byte| byte.is_ascii_whitespace()) {
            at += 1;
        }
        self.byte(at) == Some(b':')
    }

    fn keys(&self) -> Vec<String> {
        self.open.iter().flatten().filter(|key| !key.is_empty()).take(KEYS).cloned().collect()
    }

    /// Reads the string whose text begins at `self.at`, past its closing quote.
    fn string(&mut self) -> Vec<Segment> {
        let mut segments = Vec::new();
        let mut from = self.at;
        while let Some(byte) = self.byte(self.at) {
            match byte {
                b'"' => break,
                b'\\' => {
                    segments.push(Segment::Source(from..self.at));
                    let (literal, length) = escape(self.text.get(self.at..self.end));
                    segments.push(Segment::Literal(literal));
                    self.at = (self.at + length).min(self.end);
                    from = self.at;
                }
                _ => self.at += 1,
            }
        }
        segments.push(Segment::Source(from..self.at));
        self.at = (self.at + 1).min(self.end);
        segments.retain(|segment| !matches!(segment, Segment::Source(range) if range.is_empty()));
        segments
    }
}

impl Iterator for Strings<'_> {
    type Item = JsonString;

    fn next(&mut self) -> Option<JsonString> {
        while let Some(byte) = self.byte(self.at) {
            self.at += 1;
            match byte {
                b'{' => self.open.push(Some(String::new())),
                b'[' => self.open.push(None),
                b'}' | b']' => {
                    self.open.pop();
                }
                b'"' => {
                    let segments = self.string();
                    if !self.is_key() {
                        return Some(JsonString { keys: self.keys(), segments });
                    }
                    let name = plain(self.text, &segments);
                    if let Some(Some(key)) = self.open.last_mut() {
                        *key = truncate(&collapse_whitespace(&name), KEY_BYTES).to_owned();
                    }
                }
                _ => {}
            }
        }
        None
    }
}

/// The elements of a top-level array, or the whole text.
pub(super) fn elements(text: &str, whole: Range<usize>) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let is_array = bytes.get(whole.start) == Some(&b'[');
    let (mut depth, mut in_string, mut from) = (0_usize, false, whole.start + 1);
    let mut at = whole.start;
    while is_array && at < whole.end {
        match bytes.get(at) {
            Some(b'\\') if in_string => at += 1,
            Some(b'"') => in_string = !in_string,
            Some(b'[' | b'{') if !in_string => depth += 1,
            Some(b',') if !in_string && depth == 1 => {
                found.push(trimmed(text, from..at));
                from = at + 1;
            }
            Some(b']' | b'}') if !in_string => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    found.push(trimmed(text, from..at));
                    break;
                }
            }
            _ => {}
        }
        at += 1;
    }
    found.retain(|range| !range.is_empty());
    if found.is_empty() { vec![whole] } else { found }
}

fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let piece = text.get(range.clone()).unwrap_or_default();
    let start = range.start + (piece.len() - piece.trim_start().len());
    start..start + piece.trim().len()
}

fn plain(text: &str, segments: &[Segment]) -> String {
    segments
        .iter()
        .map(|segment| match segment {
            Segment::Source(range) => text.get(range.clone()).unwrap_or_default(),
            Segment::Literal(literal) => literal,
        })
        .collect()
}

/// The character that an escape stands for, and how long the escape is; a lone surrogate is U+FFFD.
fn escape(rest: Option<&str>) -> (String, usize) {
    let rest = rest.unwrap_or_default();
    let Some(mark) = rest.chars().nth(1) else { return (String::new(), rest.len().max(1)) };
    let simple = match mark {
        'n' => '\n',
        't' => '\t',
        'r' => '\r',
        'b' | 'f' => ' ',
        'u' => return unicode(rest),
        other => other,
    };
    (simple.to_string(), 1 + mark.len_utf8())
}

fn unicode(rest: &str) -> (String, usize) {
    let unit = |at: usize| {
        let digits = rest.get(at..at + 4)?;
        u16::from_str_radix(digits, 16).ok()
    };
    let replacement = || char::REPLACEMENT_CHARACTER.to_string();
    let Some(first) = unit(2) else { return (replacement(), 2) };
    let second = rest.get(6..8).filter(|mark| *mark == "\\u").and_then(|_| unit(8));
    if (0xD800..0xDC00).contains(&first)
        && let Some(second) = second
        && let Some(Ok(c)) = char::decode_utf16([first, second]).next()
    {
        return (c.to_string(), 12);
    }
    match char::decode_utf16([first]).next() {
        Some(Ok('\0')) => (String::new(), 6),
        Some(Ok(c)) => (c.to_string(), 6),
        Some(Err(_)) | None => (replacement(), 6),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<(Vec<String>, String)> {
        Strings::new(text, 0..text.len())
            .map(|string| (string.keys, plain(text, &string.segments)))
            .collect()
    }

    #[test]
    fn strings_come_with_their_keys_and_without_escapes() {
        let text = r#"{"a": {"b": ["x \"y\" \u00e9 \ud83d\ude00"]}, "c": "z", "n": 1}"#;
        let expected = [
            (vec!["a".to_owned(), "b".to_owned()], "x \"y\" é 😀".to_owned()),
            (vec!["c".to_owned()], "z".to_owned()),
        ];
        assert_eq!(read(text), expected);
    }

    #[test]
    fn the_elements_of_an_array_are_its_records() {
        let text = r#"[{"a": "],"}, 2, [3]]"#;
        let found = elements(text, 0..text.len()).into_iter().map(|range| &text[range]);
        assert_eq!(found.collect::<Vec<_>>(), [r#"{"a": "],"}"#, "2", "[3]"]);
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_read_without_a_panic(text in "[\\[\\]{}\",:\\\\u0-9aé ]{0,60}") {
            read(&text);
            elements(&text, 0..text.len());
        }
    }
}
