//! The pages of decisions are numbered without a gap.

use crate::problem::Problem;
use crate::sequence;
use crate::tree::Tree;

const FOLDER: &str = "docs/adr";

pub(super) fn check(tree: &Tree) -> Vec<Problem> {
    let names: Vec<&str> = tree.names_in(FOLDER).collect();
    if names.is_empty() {
        return vec![Problem::new(FOLDER, "has no page; begin with 0001-….md")];
    }
    sequence::check(FOLDER, &names, '-')
}
