//! Character references.

use std::ops::Range;

/// The longest reference that is looked for, in bytes.
const LONGEST: usize = 12;

/// The names that documents use; others stay as they are written.
const NAMED: &[(&str, &str)] = &[
    ("amp", "&"),
    ("lt", "<"),
    ("gt", ">"),
    ("quot", "\""),
    ("apos", "'"),
    ("nbsp", "\u{a0}"),
    ("copy", "©"),
    ("reg", "®"),
    ("trade", "™"),
    ("hellip", "…"),
    ("mdash", "—"),
    ("ndash", "–"),
    ("lsquo", "‘"),
    ("rsquo", "’"),
    ("ldquo", "“"),
    ("rdquo", "”"),
    ("laquo", "«"),
    ("raquo", "»"),
    ("bull", "•"),
    ("middot", "·"),
    ("times", "×"),
    ("deg", "°"),
    ("euro", "€"),
    ("pound", "£"),
    ("sect", "§"),
    ("para", "¶"),
    ("larr", "←"),
    ("rarr", "→"),
    ("shy", ""),
    ("zwnj", "\u{200c}"),
    ("auml", "ä"),
    ("ouml", "ö"),
    ("uuml", "ü"),
    ("Auml", "Ä"),
    ("Ouml", "Ö"),
    ("Uuml", "Ü"),
    ("szlig", "ß"),
    ("eacute", "é"),
    ("egrave", "è"),
    ("agrave", "à"),
    ("ccedil", "ç"),
    ("ntilde", "ñ"),
];

/// The references in `text`, with what they stand for, in order.
pub(super) fn find(text: &str) -> Vec<(Range<usize>, String)> {
    let mut found = Vec::new();
    for (at, _) in text.match_indices('&') {
        let mut end = (at + LONGEST).min(text.len());
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let Some((name, _)) = text.get(at + 1..end).and_then(|near| near.split_once(';')) else {
            continue;
        };
        if let Some(decoded) = decoded(name) {
            found.push((at..at + name.len() + 2, decoded));
        }
    }
    found
}

/// The text with its references resolved.
pub(super) fn decode(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut from = 0;
    for (range, decoded) in find(text) {
        plain.push_str(text.get(from..range.start).unwrap_or_default());
        plain.push_str(&decoded);
        from = range.end;
    }
    plain.push_str(text.get(from..).unwrap_or_default());
    plain
}

fn decoded(name: &str) -> Option<String> {
    if let Some(number) = name.strip_prefix('#') {
        let code = match number.strip_prefix(['x', 'X']) {
            Some(hex) => u32::from_str_radix(hex, 16).ok()?,
            None => number.parse().ok()?,
        };
        let c = char::from_u32(code).filter(|c| *c != '\0');
        return Some(c.unwrap_or(char::REPLACEMENT_CHARACTER).to_string());
    }
    let (_, text) = NAMED.iter().find(|(known, _)| *known == name)?;
    Some((*text).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_resolved_and_stray_ampersands_kept() {
        assert_eq!(decode("a &amp; b &#233; &#x1F600; &unknown; & c"), "a & b é 😀 &unknown; & c");
    }
}
