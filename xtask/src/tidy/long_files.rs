//! A Rust file has at most 500 lines, or a reason.

use toml::{Table, Value};

use crate::problem::Problem;
use crate::tree::Tree;

const LIMIT: usize = 500;
const EXCEPTIONS: &str = "xtask/long-files.toml";

pub(super) fn check(tree: &Tree) -> Vec<Problem> {
    let exceptions = match exceptions(tree) {
        Ok(exceptions) => exceptions,
        Err(problem) => return vec![problem],
    };
    let mut problems = Vec::new();
    for file in tree.rust() {
        let lines = file.text.lines().count();
        if lines > LIMIT && !exceptions.contains_key(&file.path) {
            let says = format!(
                "has {lines} lines, more than {LIMIT}; split it by concept, or list it in \
                 {EXCEPTIONS} with the reason why one place is better"
            );
            problems.push(Problem::new(&file.path, says));
        }
    }
    problems.extend(exceptions.iter().filter_map(|(path, reason)| check_entry(tree, path, reason)));
    problems
}

fn exceptions(tree: &Tree) -> Result<Table, Problem> {
    let Some(file) = tree.file(EXCEPTIONS) else { return Ok(Table::new()) };
    file.text.parse().map_err(|error| Problem::new(EXCEPTIONS, format!("cannot be read: {error}")))
}

fn check_entry(tree: &Tree, path: &str, reason: &Value) -> Option<Problem> {
    let is_long = tree.file(path).is_some_and(|file| file.text.lines().count() > LIMIT);
    let has_reason = reason.as_str().is_some_and(|reason| reason.trim().contains(' '));
    let says = match (is_long, has_reason) {
        (true, true) => return None,
        (true, false) => format!("lists {path} without a reason; give it, as a sentence"),
        (false, _) => format!("lists {path}, which is not longer than {LIMIT} lines; take it out"),
    };
    Some(Problem::new(EXCEPTIONS, says))
}
