//! The top of the repository holds what it is known to hold, and nothing else.

use std::collections::BTreeSet;

use crate::problem::Problem;
use crate::tree::Tree;

const FILES: [&str; 12] = [
    "Cargo.toml",
    "Cargo.lock",
    "rust-toolchain.toml",
    "clippy.toml",
    "rustfmt.toml",
    "deny.toml",
    "README.md",
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "LICENSE-MIT",
    "LICENSE-APACHE",
];
const FOLDERS: [&str; 6] = ["crates", "bins", "migrations", "xtask", "tests", "docs"];

pub(super) fn check(tree: &Tree) -> Vec<Problem> {
    let there: BTreeSet<&str> = tree
        .files()
        .map(|file| file.path.split_once('/').map_or(file.path.as_str(), |(folder, _)| folder))
        .filter(|name| !name.starts_with('.'))
        .collect();
    let known: BTreeSet<&str> = FILES.into_iter().chain(FOLDERS).collect();
    let missing = known.difference(&there).map(|name| Problem::new(*name, "is missing; write it"));
    let foreign = there.difference(&known).map(|name| {
        let says = "does not belong at the top; put it into crates, bins, tests, docs or xtask, or \
                    ignore it in .gitignore";
        Problem::new(*name, says)
    });
    missing.chain(foreign).collect()
}
