//! What a `Cargo.toml` says about the package and what it depends on.

use std::collections::BTreeMap;

use toml::{Table, Value};

use crate::problem::Problem;
use crate::tree::{File, Tree};

/// The sections whose dependencies end up in the package; those of tests do not.
const SECTIONS: [&str; 2] = ["dependencies", "build-dependencies"];

/// One package, as far as the checks care.
#[derive(Debug)]
pub(crate) struct Manifest {
    /// The name of the package.
    pub(crate) name: String,
    /// The packages it depends on, tests left aside, each with the line that says so.
    pub(crate) dependencies: Vec<Dependency>,
}

/// One arrow from a package to another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Dependency {
    /// The name of the other package, whatever it is called here.
    pub(crate) package: String,
    /// Where the manifest names it, counted from 1.
    pub(crate) line: usize,
}

/// The packages that the workspace gives another name, by that name.
#[derive(Debug, Default)]
pub(crate) struct Renamed(BTreeMap<String, String>);

impl Renamed {
    /// Reads them from the manifest of the workspace.
    pub(crate) fn read(tree: &Tree) -> Result<Self, Problem> {
        let Some(file) = tree.file("Cargo.toml") else { return Ok(Self::default()) };
        let table = parse(file)?;
        let shared = table
            .get("workspace")
            .and_then(|workspace| workspace.get("dependencies"))
            .and_then(Value::as_table);
        let renamed = shared.into_iter().flatten().filter_map(|(key, value)| {
            Some((key.clone(), value.get("package")?.as_str()?.to_owned()))
        });
        Ok(Self(renamed.collect()))
    }
}

impl Manifest {
    /// Reads the manifest of a package.
    pub(crate) fn read(file: &File, renamed: &Renamed) -> Result<Self, Problem> {
        let table = parse(file)?;
        let name = table.get("package").and_then(|package| package.get("name"));
        let Some(name) = name.and_then(Value::as_str) else {
            return Err(Problem::new(&file.path, "has no package.name; give it one"));
        };
        let mut dependencies = dependencies_of(&table, file, renamed);
        let targets = table.get("target").and_then(Value::as_table);
        for (_, target) in targets.into_iter().flatten() {
            if let Some(target) = target.as_table() {
                dependencies.extend(dependencies_of(target, file, renamed));
            }
        }
        Ok(Self { name: name.to_owned(), dependencies })
    }
}

fn parse(file: &File) -> Result<Table, Problem> {
    file.text
        .parse::<Table>()
        .map_err(|error| Problem::new(&file.path, format!("cannot be read: {error}")))
}

fn dependencies_of(table: &Table, file: &File, renamed: &Renamed) -> Vec<Dependency> {
    let sections = SECTIONS.iter().filter_map(|section| table.get(*section)?.as_table());
    let package = |(key, value): (&String, &Value)| {
        let own = value.get("package").and_then(Value::as_str);
        let package = own.or_else(|| renamed.0.get(key).map(String::as_str)).unwrap_or(key);
        Dependency { package: package.to_owned(), line: line_of(key, &file.text) }
    };
    sections.flatten().map(package).collect()
}

/// The first line that sets the key, or that heads its own table.
fn line_of(key: &str, text: &str) -> usize {
    let sets = |line: &str| {
        let line = line.trim_start().trim_start_matches('"');
        let rest = line.strip_prefix(key).map(|rest| rest.trim_start_matches('"').trim_start());
        rest.is_some_and(|rest| rest.starts_with('=') || rest.starts_with('.'))
            || (line.starts_with('[') && line.trim_end().ends_with(&format!("dependencies.{key}]")))
    };
    text.lines().position(sets).map_or(1, |index| index + 1)
}

#[cfg(test)]
mod tests {
    use super::{Manifest, Renamed};
    use crate::tree::File;

    fn packages(text: &str) -> Vec<(String, usize)> {
        let text = format!("[package]\nname = \"koinon-x\"\n{text}");
        let file = File { path: "crates/x/Cargo.toml".to_owned(), text };
        let manifest = Manifest::read(&file, &Renamed::default()).expect("a manifest");
        manifest.dependencies.into_iter().map(|arrow| (arrow.package, arrow.line)).collect()
    }

    #[test]
    fn dependencies_of_a_target_and_of_a_build_script_count_and_those_of_tests_do_not() {
        let found = packages(
            "[dependencies]\na.workspace = true\n[build-dependencies]\nb = \"1\"\n\
             [dev-dependencies]\nc = \"1\"\n[target.'cfg(unix)'.dependencies]\nd = \"1\"\n",
        );
        let expected = [("a", 4), ("b", 6), ("d", 10)].map(|(name, line)| (name.to_owned(), line));
        assert_eq!(found, expected);
    }

    #[test]
    fn another_name_for_a_package_does_not_hide_it() {
        let found =
            packages("[dependencies]\ninnocent = { package = \"koinon-store\", path = \"..\" }\n");
        assert_eq!(found, [("koinon-store".to_owned(), 4)]);
    }
}
