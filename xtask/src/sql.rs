//! SQL text, as far as the checks read it: without comments and without what is quoted as text.

/// The text with comments and string literals blanked out; lines stay where they are.
pub(crate) fn bare(text: &str) -> String {
    let mut bare = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let skipped = skipped_len(rest);
        if skipped == 0 {
            bare.push(first);
            rest = rest.get(first.len_utf8()..).unwrap_or_default();
        } else {
            let (blank, after) = rest.split_at(skipped);
            bare.extend(blank.chars().map(|c| if c == '\n' { '\n' } else { ' ' }));
            rest = after;
        }
    }
    bare
}

/// How many statements the text holds.
pub(crate) fn statements(text: &str) -> usize {
    bare(text).split(';').filter(|statement| !statement.trim().is_empty()).count()
}

/// How long the comment or the literal is that the text begins with; 0 when it begins with neither.
fn skipped_len(text: &str) -> usize {
    if text.starts_with("--") {
        return text.find('\n').unwrap_or(text.len());
    }
    if text.starts_with("/*") {
        return text.find("*/").map_or(text.len(), |end| end + 2);
    }
    if let Some(literal) = text.strip_prefix('\'') {
        return literal.find('\'').map_or(text.len(), |end| end + 2);
    }
    match tag(text) {
        Some(tag) => {
            let literal = text.get(tag.len()..).unwrap_or_default();
            literal.find(tag).map_or(text.len(), |end| end + 2 * tag.len())
        }
        None => 0,
    }
}

/// The tag of a literal between dollars that the text begins with, such as `$$` or `$body$`; the `$1` of an
/// argument is none.
fn tag(text: &str) -> Option<&str> {
    let name = text.strip_prefix('$')?.split('$').next()?;
    let fits = |c: char| c.is_ascii_alphabetic() || c == '_';
    name.chars().all(fits).then(|| text.get(..name.len() + 2)).flatten()
}

#[cfg(test)]
mod tests {
    use super::{bare, statements};

    #[test]
    fn comments_and_literals_are_blank_and_lines_stay() {
        assert_eq!(bare("-- a;\nx /* b\n */ 'c;' y"), "     \nx     \n         y");
    }

    #[test]
    fn a_semicolon_in_a_comment_or_a_literal_ends_nothing() {
        assert_eq!(statements("-- a; b\nSELECT ';' ; \n"), 1);
        assert_eq!(statements("SELECT 1; SELECT 2"), 2);
        assert_eq!(statements("-- nothing\n"), 0);
        assert_eq!(statements("DO $a$ BEGIN x; $b$ y; $b$; END $a$"), 1);
        assert_eq!(statements("SELECT $1; SELECT $2"), 2);
    }
}
