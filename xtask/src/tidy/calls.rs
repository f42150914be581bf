//! Calls that have no place here, whoever makes them.

use crate::problem::Problem;
use crate::source::Source;
use crate::tree::File;

const UNFINISHED: &str = "is unfinished; write it, or leave the way to it out";
const BARE_SPAWN: &str =
    "nobody waits for a bare task; spawn it on the TaskTracker that the drain waits for";

/// What is looked for, word by word, and what to do about it.
const REFUSED: [(&[&str], &str); 4] = [
    (&["todo", "!"], UNFINISHED),
    (&["unimplemented", "!"], UNFINISHED),
    (&["tokio", ":", ":", "spawn", "("], BARE_SPAWN),
    (&["task", ":", ":", "spawn", "("], BARE_SPAWN),
];

pub(super) fn check(file: &File, source: &Source) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (pattern, says) in REFUSED {
        let call = pattern.concat();
        for token in source.find(pattern) {
            problems.push(Problem::at(&file.path, token.line, format!("{call}: {says}")));
        }
    }
    problems
}
