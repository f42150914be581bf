//! Each stable error code has a page, and each page a code.

use std::collections::BTreeSet;

use crate::problem::Problem;
use crate::source::{Kind, Source, Token};
use crate::tree::{File, Tree};

/// The one place where a code gets its text.
const REGISTRY: &str = "crates/domain/src/error_code.rs";
const PAGES: &str = "docs/errors";

pub(super) fn check(tree: &Tree) -> Vec<Problem> {
    let Some(registry) = tree.file(REGISTRY) else {
        return vec![Problem::new(REGISTRY, "is missing; it lists the stable error codes")];
    };
    let codes = codes_in(&Source::read(registry));
    if codes.is_empty() {
        let says = "has no `NAME = \"code\";`; the stable error codes are listed there";
        return vec![Problem::new(REGISTRY, says)];
    }
    let names: Vec<&str> = tree.names_in(PAGES).collect();
    let pages: BTreeSet<String> =
        names.iter().map(|name| name.trim_end_matches(".md").to_owned()).collect();
    let mut problems = Vec::new();
    for code in codes.difference(&pages) {
        let says = format!("is missing; say what happened and what to try when the code is {code}");
        problems.push(Problem::new(format!("{PAGES}/{code}.md"), says));
    }
    for page in pages.difference(&codes) {
        let says = format!("is the page of a code that {REGISTRY} does not have; take it out");
        problems.push(Problem::new(format!("{PAGES}/{page}.md"), says));
    }
    let files = tree.files().filter(|file| file.is_below(&[PAGES]));
    problems.extend(files.filter_map(check_page));
    problems
}

/// The codes that the registry lists as `NAME = "code"`, outside of its tests.
fn codes_in(registry: &Source) -> BTreeSet<String> {
    let mut codes = BTreeSet::new();
    for window in registry.tokens().windows(3) {
        if let [name, equals, value] = window
            && is_constant(name)
            && equals.spelled() == Some("=")
            && let Kind::Text(code) = &value.kind
            && !name.of_test
        {
            codes.insert(code.clone());
        }
    }
    codes
}

fn is_constant(token: &Token) -> bool {
    let is_upper = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_';
    matches!(&token.kind, Kind::Word(word) if word.bytes().all(is_upper))
}

fn check_page(file: &File) -> Option<Problem> {
    let code = file.name().trim_end_matches(".md");
    let head = format!("# `{code}`");
    let missing = [head.as_str(), "## What happened", "## What to try", "## Where it shows"]
        .into_iter()
        .find(|heading| !file.text.lines().any(|line| line == *heading))?;
    Some(Problem::new(
        &file.path,
        format!("has no heading `{missing}`; every page of a code has it"),
    ))
}
