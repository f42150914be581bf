//! Attributes that hide a problem instead of stating it.

use crate::problem::Problem;
use crate::source::{Source, Token};
use crate::tree::File;

pub(super) fn check(file: &File, source: &Source) -> Vec<Problem> {
    attributes(source.tokens()).filter_map(|attribute| check_attribute(file, attribute)).collect()
}

/// What stands between the brackets of each attribute.
fn attributes(tokens: &[Token]) -> impl Iterator<Item = &[Token]> {
    let spelled = |index: usize| tokens.get(index).and_then(Token::spelled);
    let opens = move |index: usize| match (spelled(index), spelled(index + 1)) {
        (Some("#"), Some("[")) => Some(index + 2),
        (Some("#"), Some("!")) if spelled(index + 2) == Some("[") => Some(index + 3),
        _ => None,
    };
    (0..tokens.len()).filter_map(opens).filter_map(|start| inside(tokens.get(start..)?))
}

fn inside(tokens: &[Token]) -> Option<&[Token]> {
    let mut depth = 0_usize;
    for (index, token) in tokens.iter().enumerate() {
        match token.spelled() {
            Some("[") => depth += 1,
            Some("]") if depth == 0 => return tokens.get(..index),
            Some("]") => depth -= 1,
            _ => {}
        }
    }
    None
}

fn check_attribute(file: &File, attribute: &[Token]) -> Option<Problem> {
    let line = attribute.first()?.line;
    let begins = |word: &str| attribute.first().and_then(Token::spelled) == Some(word);
    let conditional = begins("cfg_attr");
    let has = |word: &str| {
        begins(word) || (conditional && attribute.iter().any(|token| token.spelled() == Some(word)))
    };
    let says = if has("allow") {
        "write `#[expect(lint, reason = \"…\")]`; it fails when it is no longer needed, `allow` does not"
    } else if has("expect") && !attribute.iter().any(|token| token.spelled() == Some("reason")) {
        "say why: `#[expect(lint, reason = \"…\")]`"
    } else if has("ignore") {
        "a test that does not run proves nothing; make it run, or take it out"
    } else {
        return None;
    };
    Some(Problem::at(&file.path, line, says))
}
