//! Rust code holds no SQL: statements are files, where their comment says what they keep atomic
//! and a test can prepare them all.

use std::sync::LazyLock;

use regex::{Regex, RegexBuilder};

use crate::problem::Problem;
use crate::source::{Kind, Source};
use crate::tree::File;

/// How a statement begins. Prose may begin with the same verb, so what must follow it counts too.
const STATEMENT: &str = r"^(\\[nt]|[\\\s])*(
    select\s+(\*|[\w.]+\(|\d|.*\sfrom\s)
  | (insert|replace)\s+(or\s+\w+\s+)?into\s
  | update\s+\S+\s+(as\s+\w+\s+)?set\s
  | delete\s+from\s
  | (create|drop|alter)\s+(unique\s+|temp\s+)?(table|index|view|trigger)\s
  | pragma\s+\w
  | with\s+(recursive\s+)?\w+\s*(\([^)]*\)\s*)?as\s+(not\s+)?(materialized\s+)?\(
)";

#[expect(clippy::expect_used, reason = "the pattern is a constant, and a test runs it")]
static BEGINS: LazyLock<Regex> = LazyLock::new(|| {
    let mut builder = RegexBuilder::new(STATEMENT);
    builder.case_insensitive(true).ignore_whitespace(true).dot_matches_new_line(true);
    builder.build().expect("a pattern")
});

pub(super) fn check(file: &File, source: &Source) -> Vec<Problem> {
    if !file.is_below(&["crates", "bins", "xtask"]) {
        return Vec::new();
    }
    let outside_tests = source.tokens().iter().filter(|token| !token.of_test);
    let statements = outside_tests.filter(|token| match &token.kind {
        Kind::Text(text) => BEGINS.is_match(text),
        Kind::Word(_) | Kind::Mark(_) => false,
    });
    let says = "is SQL in Rust; put the statement into crates/store-*/src/sql/<verb>.sql and take \
                it in by include_str!";
    statements.map(|token| Problem::at(&file.path, token.line, says)).collect()
}

#[cfg(test)]
mod tests {
    use super::BEGINS;

    #[test]
    fn statements_are_told_from_prose() {
        for statement in [
            "SELECT id FROM runs",
            "\\n  select count(*) from runs",
            "insert into runs values (1)",
            "INSERT OR IGNORE INTO runs VALUES (1)",
            "update runs set state = 1",
            "delete from runs",
            "PRAGMA synchronous",
            "create unique index i on runs (id)",
            "with due as (select 1) select 2",
        ] {
            assert!(BEGINS.is_match(statement), "{statement}");
        }
        for prose in [
            "select a price profile first",
            "update the configuration",
            "insert the key",
            "create a table of prices",
            "with a limit, as it was asked",
            "",
        ] {
            assert!(!BEGINS.is_match(prose), "{prose}");
        }
    }
}
