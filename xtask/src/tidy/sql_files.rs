//! SQL stands in the adapters and in the migrations, one statement a file.

use crate::problem::Problem;
use crate::sql;
use crate::tree::{File, Tree};

pub(super) fn check(tree: &Tree) -> Vec<Problem> {
    tree.sql().flat_map(check_file).collect()
}

fn check_file(file: &File) -> Vec<Problem> {
    if file.is_below(&["migrations", "xtask/src", "tests"]) {
        return Vec::new();
    }
    let mut problems = Vec::new();
    if !is_of_an_adapter(file) {
        let says = "SQL belongs into crates/store-*/src/sql/, or into migrations/";
        problems.push(Problem::new(&file.path, says));
    }
    if !file.text.trim_start().starts_with("--") {
        let says =
            "open it by a `--` comment: what the statement keeps atomic, which index serves it";
        problems.push(Problem::at(&file.path, 1, says));
    }
    let statements = sql::statements(&file.text);
    if statements != 1 {
        let says = format!("has {statements} statements; one file holds exactly one");
        problems.push(Problem::new(&file.path, says));
    }
    problems
}

/// `crates/store-*/src/sql/*.sql`.
fn is_of_an_adapter(file: &File) -> bool {
    let parts: Vec<&str> = file.path.split('/').collect();
    matches!(parts.as_slice(), ["crates", name, "src", "sql", _] if name.starts_with("store-"))
}
