//! A program assembles; what it does lives in the crates, where it can be tested.

use crate::problem::Problem;
use crate::tree::Tree;

const LIMIT: usize = 60;

pub(super) fn check(tree: &Tree) -> Vec<Problem> {
    let mains = tree.rust().filter(|file| file.is_below(&["bins"]) && file.name() == "main.rs");
    let lines = mains.map(|file| (file, file.text.lines().count()));
    lines
        .filter(|(_, lines)| *lines > LIMIT)
        .map(|(file, lines)| {
            let says = format!("has {lines} lines, more than {LIMIT}; move what it does beside it");
            Problem::new(&file.path, says)
        })
        .collect()
}
