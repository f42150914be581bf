//! `cargo xtask schema`: the migrations, run on an empty database, make the schema of the golden
//! file, for each kind of database, so that a change of the schema is seen in review as what it is. None of them
//! takes away a column that workers of the version before use.

mod columns;
mod postgres;
mod sqlite;

use std::io::Write as _;
use std::path::Path;
use std::process::ExitCode;

use anyhow::Context as _;

use crate::problem::Problem;
use crate::sequence;
use crate::tree::{File, Tree};

const GOLDEN: &str = "schema.sql";

const HEAD: &str =
    "-- The schema that the migrations make. Written by `cargo xtask schema --bless`.\n";

/// The migrations of one kind of database.
struct Series {
    folder: &'static str,
    /// The schema that they make, or the problem of the first one that cannot be run.
    dump: fn(&[&File]) -> anyhow::Result<Result<String, Problem>>,
}

/// SQLite comes first: what the others have is held against it.
const SERIES: [Series; 2] = [
    Series { folder: "migrations/sqlite", dump: sqlite::of },
    Series { folder: "migrations/postgres", dump: postgres::of },
];

/// The problems of the migrations and of the golden files.
pub(crate) fn check(root: &Path) -> anyhow::Result<Vec<Problem>> {
    let tree = Tree::read(root)?;
    let mut problems = check_pairs(&tree);
    for series in SERIES.iter().filter(|series| series.is_in(&tree)) {
        problems.extend(series.check(&tree)?);
    }
    Ok(problems)
}

/// Rewrites the golden files from the migrations.
pub(crate) fn bless(root: &Path) -> anyhow::Result<ExitCode> {
    let tree = Tree::read(root)?;
    let mut problems = check_pairs(&tree);
    for series in SERIES.iter().filter(|series| series.is_in(&tree)) {
        problems.extend(series.bless(&tree, root)?);
    }
    if problems.is_empty() {
        return Ok(ExitCode::SUCCESS);
    }
    crate::problem::report("schema", &problems)
}

/// Each migration has one of the same name for the other kind of database, as soon as there are two kinds.
fn check_pairs(tree: &Tree) -> Vec<Problem> {
    let [one, other] = SERIES;
    if !other.is_in(tree) {
        return Vec::new();
    }
    let lonely = |from: &Series, to: &Series| {
        let names: Vec<&str> = to.names(tree);
        let missing = from.names(tree).into_iter().filter(|name| !names.contains(name));
        let says = format!("has no pair of the same name in {}", to.folder);
        missing
            .map(|name| Problem::new(format!("{}/{name}", from.folder), says.clone()))
            .collect::<Vec<_>>()
    };
    let mut problems = lonely(&one, &other);
    problems.extend(lonely(&other, &one));
    problems
}

impl Series {
    /// A tree that has none of the second kind of database has one kind only.
    fn is_in(&self, tree: &Tree) -> bool {
        self.folder == SERIES[0].folder || tree.names_in(self.folder).next().is_some()
    }

    fn golden(&self) -> String {
        format!("{}/{GOLDEN}", self.folder)
    }

    fn names<'t>(&self, tree: &'t Tree) -> Vec<&'t str> {
        tree.names_in(self.folder).filter(|name| *name != GOLDEN).collect()
    }

    fn check_names(&self, tree: &Tree) -> Vec<Problem> {
        let names = self.names(tree);
        if names.is_empty() {
            return vec![Problem::new(self.folder, "has no migration; begin with 0001_….sql")];
        }
        sequence::check(self.folder, &names, '_')
    }

    fn make(&self, tree: &Tree) -> anyhow::Result<Result<String, Problem>> {
        let golden = self.golden();
        let is_migration = |file: &&File| file.is_below(&[self.folder]) && file.path != golden;
        (self.dump)(&tree.sql().filter(is_migration).collect::<Vec<_>>())
    }

    fn check(&self, tree: &Tree) -> anyhow::Result<Vec<Problem>> {
        let problems = self.check_names(tree);
        if !problems.is_empty() {
            return Ok(problems);
        }
        let made = match self.make(tree)? {
            Ok(made) => made,
            Err(problem) => return Ok(vec![problem]),
        };
        let golden = self.golden();
        Ok(match tree.file(&golden) {
            None => {
                vec![Problem::new(golden, "is missing; write it by `cargo xtask schema --bless`")]
            }
            Some(file) if file.text == made => Vec::new(),
            Some(file) => vec![difference(file, &made)],
        })
    }

    fn bless(&self, tree: &Tree, root: &Path) -> anyhow::Result<Vec<Problem>> {
        let problems = self.check_names(tree);
        if !problems.is_empty() {
            return Ok(problems);
        }
        match self.make(tree)? {
            Ok(made) => {
                let path = root.join(self.golden());
                std::fs::write(&path, made)
                    .with_context(|| format!("cannot write {}", path.display()))?;
                writeln!(std::io::stdout(), "schema: wrote {}", self.golden())?;
                Ok(Vec::new())
            }
            Err(problem) => Ok(vec![problem]),
        }
    }
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
