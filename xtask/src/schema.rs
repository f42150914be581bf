//! `cargo xtask schema`: the migrations, run on an empty database, make the schema of the golden
//! file, so that a change of the schema is seen in review as what it is.

mod dump;

use std::io::Write as _;
use std::path::Path;
use std::process::ExitCode;

use anyhow::Context as _;

use crate::problem::Problem;
use crate::sequence;
use crate::tree::{File, Tree};

const FOLDER: &str = "migrations/sqlite";
const GOLDEN: &str = "schema.sql";

/// The problems of the migrations and of the golden file.
pub(crate) fn check(root: &Path) -> anyhow::Result<Vec<Problem>> {
    let tree = Tree::read(root)?;
    let problems = check_names(&tree);
    if !problems.is_empty() {
        return Ok(problems);
    }
    let made = match dump::of(&migrations(&tree))? {
        Ok(made) => made,
        Err(problem) => return Ok(vec![problem]),
    };
    let golden = golden_path();
    Ok(match tree.file(&golden) {
        None => vec![Problem::new(golden, "is missing; write it by `cargo xtask schema --bless`")],
        Some(file) if file.text == made => Vec::new(),
        Some(file) => vec![difference(file, &made)],
    })
}

/// Rewrites the golden file from the migrations.
pub(crate) fn bless(root: &Path) -> anyhow::Result<ExitCode> {
    let tree = Tree::read(root)?;
    let mut problems = check_names(&tree);
    if problems.is_empty() {
        match dump::of(&migrations(&tree))? {
            Ok(made) => {
                let path = root.join(golden_path());
                std::fs::write(&path, made)
                    .with_context(|| format!("cannot write {}", path.display()))?;
                writeln!(std::io::stdout(), "schema: wrote {}", golden_path())?;
            }
            Err(problem) => problems.push(problem),
        }
    }
    if problems.is_empty() {
        return Ok(ExitCode::SUCCESS);
    }
    crate::problem::report("schema", &problems)
}

fn golden_path() -> String {
    format!("{FOLDER}/{GOLDEN}")
}

fn check_names(tree: &Tree) -> Vec<Problem> {
    let names: Vec<&str> = tree.names_in(FOLDER).filter(|name| *name != GOLDEN).collect();
    if names.is_empty() {
        return vec![Problem::new(FOLDER, "has no migration; begin with 0001_….sql")];
    }
    sequence::check(FOLDER, &names, '_')
}

fn migrations(tree: &Tree) -> Vec<&File> {
    tree.sql().filter(|file| file.is_below(&[FOLDER]) && file.path != golden_path()).collect()
}

fn difference(golden: &File, made: &str) -> Problem {
    let pairs = golden.text.lines().zip(made.lines());
    let same = pairs.take_while(|(golden, made)| golden == made).count();
    let line = |text: &str| {
        let mut rest = text.lines().skip(same).filter(|line| !line.trim().is_empty());
        rest.next().unwrap_or("the end of the file").to_owned()
    };
    let says = format!(
        "is not what the migrations make: here stands `{}`, they make `{}`. If the migrations are \
         right, run `cargo xtask schema --bless`",
        line(&golden.text),
        line(made)
    );
    Problem::at(&golden.path, same + 1, says)
}
