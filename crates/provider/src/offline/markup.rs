//! Takes Markdown's marks off a sentence.

/// The sentence without emphasis, code marks, link targets and escapes.
pub(super) fn strip(sentence: &str) -> String {
    let mut plain = String::with_capacity(sentence.len());
    let mut rest = sentence;
    while let Some(c) = rest.chars().next() {
        let after = &rest[c.len_utf8()..];
        let next = after.chars().next();
        rest = match c {
            '`' => after,
            '*' if is_between_spaces(&plain, next) => keep(&mut plain, c, after),
            '*' | '_' if !is_within_word(&plain, next) => after,
            '!' if next == Some('[') => after,
            '[' => match link(after) {
                Some((text, behind)) => {
                    plain.push_str(&strip(text));
                    behind
                }
                None => keep(&mut plain, c, after),
            },
            '\\' => match next.filter(char::is_ascii_punctuation) {
                Some(escaped) => {
                    plain.push(escaped);
                    &after[1..]
                }
                None => keep(&mut plain, c, after),
            },
            _ => keep(&mut plain, c, after),
        };
    }
    plain
}

fn keep<'a>(plain: &mut String, c: char, after: &'a str) -> &'a str {
    plain.push(c);
    after
}

/// The text of a link that begins here, and what stands behind it. A footnote's mark has no text.
fn link(after: &str) -> Option<(&str, &str)> {
    let (text, behind) = after.split_once(']')?;
    if text.starts_with('^') {
        return Some(("", behind));
    }
    let close = match behind.chars().next()? {
        '(' => ')',
        '[' => ']',
        _ => return None,
    };
    if text.contains('[') {
        return None;
    }
    let (_, behind) = behind[1..].split_once(close)?;
    Some((text, behind))
}

fn is_between_spaces(before: &str, next: Option<char>) -> bool {
    before.chars().next_back().is_none_or(char::is_whitespace)
        && next.is_none_or(char::is_whitespace)
}

fn is_within_word(before: &str, next: Option<char>) -> bool {
    let in_word = |c: char| c.is_alphanumeric() || c == '_';
    before.chars().next_back().is_some_and(in_word) && next.is_some_and(in_word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_taken_off_and_text_stays() {
        for (sentence, plain) in [
            ("**Koinon** is a *durable* `job` engine.", "Koinon is a durable job engine."),
            ("See [the *guide*](a/b.md) and ![a map](m.png)[^1].", "See the guide and a map."),
            ("A [ref][x] and [not] one, a[0].", "A ref and [not] one, a[0]."),
            ("It is _so_ in max_attempts and 2 * 3*4.", "It is so in max_attempts and 2 * 3*4."),
            (r"A \*star\* and C:\dir", "A *star* and C:\\dir"),
            ("[open", "[open"),
            ("\\", "\\"),
        ] {
            assert_eq!(strip(sentence), plain);
        }
    }
}
