//! `cargo xtask tidy`: the house rules that no compiler knows. Each rule is one function from the
//! tree to its problems, and each problem says what to do.

mod attributes;
mod calls;
mod decisions;
mod error_pages;
mod file_names;
mod floors;
mod glossary;
mod long_files;
mod mains;
mod sql_files;
mod sql_strings;
mod sqlx_users;
mod top_level;
mod words;

use std::path::Path;

use crate::problem::Problem;
use crate::tree::Tree;

/// The problems of a tree, in the order of the rules.
pub(crate) fn check(root: &Path) -> anyhow::Result<Vec<Problem>> {
    let tree = Tree::read(root)?;
    let mut problems = Vec::new();

    problems.extend(top_level::check(&tree));
    problems.extend(file_names::check(&tree));
    problems.extend(long_files::check(&tree));
    problems.extend(mains::check(&tree));
    problems.extend(sql_files::check(&tree));
    problems.extend(sqlx_users::check(&tree));
    problems.extend(error_pages::check(&tree));
    problems.extend(decisions::check(&tree));
    problems.extend(floors::check());
    let forbidden = glossary::read(&tree).unwrap_or_else(|problem| {
        problems.push(problem);
        Vec::new()
    });
    problems.extend(words::check_sql(&tree, &forbidden));
    for (file, source) in tree.sources() {
        problems.extend(source.refused().cloned());
        problems.extend(attributes::check(file, &source));
        problems.extend(calls::check(file, &source));
        problems.extend(sql_strings::check(file, &source));
        problems.extend(words::check_rust(file, &source, &forbidden));
    }

    Ok(problems)
}
