//! A file is named for the one concept that it holds.

use crate::problem::Problem;
use crate::tree::Tree;

/// Names that say nothing, and so attract everything.
const DRAWERS: [&str; 7] = ["util", "utils", "helper", "helpers", "common", "type", "types"];

pub(super) fn check(tree: &Tree) -> Vec<Problem> {
    let mut problems = Vec::new();
    for file in tree.rust() {
        if file.name() == "mod.rs" {
            let says = "name it like its folder and put it beside: foo.rs and foo/, not foo/mod.rs";
            problems.push(Problem::new(&file.path, says));
        }
        let parts = file.path.trim_end_matches(".rs").split('/');
        if let Some(drawer) = parts.into_iter().find(|part| DRAWERS.contains(part)) {
            let says = format!("name it for what it holds; everything fits into `{drawer}`");
            problems.push(Problem::new(&file.path, says));
        }
    }
    problems
}
