//! Text that is safe to store and to show.

/// `text` without U+0000 and other control characters (line breaks and tabs become spaces), cut at a
/// character's end to at most `max_bytes`.
#[must_use]
pub fn clean(text: &str, max_bytes: usize) -> String {
    let mut cleaned = String::with_capacity(text.len().min(max_bytes));
    for c in text.chars() {
        let c = match c {
            '\n' | '\r' | '\t' => ' ',
            c if c.is_control() => continue,
            c => c,
        };
        if cleaned.len() + c.len_utf8() > max_bytes {
            break;
        }
        cleaned.push(c);
    }
    cleaned
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cleaning_drops_control_characters_and_never_splits_a_character() {
        assert_eq!(clean("a\0b\nc", 100), "ab c");
        assert_eq!(clean("aé", 2), "a");
    }
}
