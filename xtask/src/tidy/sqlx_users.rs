//! Only the adapters speak to a database.

use crate::manifest::{Manifest, Renamed};
use crate::problem::Problem;
use crate::tree::Tree;

pub(super) fn check(tree: &Tree) -> Vec<Problem> {
    let renamed = match Renamed::read(tree) {
        Ok(renamed) => renamed,
        Err(problem) => return vec![problem],
    };
    let mut problems = Vec::new();
    for file in ["crates", "bins"].into_iter().flat_map(|folder| tree.manifests_in(folder)) {
        if file.path.starts_with("crates/store-") {
            continue;
        }
        let manifest = match Manifest::read(file, &renamed) {
            Ok(manifest) => manifest,
            Err(problem) => return vec![problem],
        };
        let speaks = |package: &str| package.starts_with("sqlx") || package == "rusqlite";
        for arrow in manifest.dependencies.iter().filter(|arrow| speaks(&arrow.package)) {
            let says = format!(
                "{} must not depend on {}: only the crates/store-* speak to a database; use the \
                 ports of koinon-store",
                manifest.name, arrow.package
            );
            problems.push(Problem::at(&file.path, arrow.line, says));
        }
    }
    problems
}
