//! `cargo xtask arrows`: a crate depends on lower layers only.

mod layers;

use std::path::Path;

use crate::manifest::{Dependency, Manifest, Renamed};
use crate::problem::Problem;
use crate::tree::{File, Tree};
use layers::Place;

/// The problems of the packages below `crates/` and `bins/`.
pub(crate) fn check(root: &Path) -> anyhow::Result<Vec<Problem>> {
    let tree = Tree::read(root)?;
    let renamed = match Renamed::read(&tree) {
        Ok(renamed) => renamed,
        Err(problem) => return Ok(vec![problem]),
    };
    let files: Vec<&File> = layers::FOLDERS.iter().flat_map(|f| tree.manifests_in(f)).collect();
    if files.is_empty() {
        return Ok(vec![Problem::new(".", "has no packages in crates/ or bins/ to check")]);
    }
    Ok(files.into_iter().flat_map(|file| check_package(file, &renamed)).collect())
}

fn check_package(file: &File, renamed: &Renamed) -> Vec<Problem> {
    let folder = file.path.trim_end_matches("/Cargo.toml");
    let Some(place) = layers::place_of_folder(folder) else {
        let says = "is in no layer; add it to the table in xtask/src/arrows/layers.rs, with a page \
                    in docs/adr/ that says why the crate is needed";
        return vec![Problem::new(folder, says)];
    };
    let manifest = match Manifest::read(file, renamed) {
        Ok(manifest) => manifest,
        Err(problem) => return vec![problem],
    };
    let mut problems = Vec::new();
    if manifest.name != place.package {
        let says = format!("is named {}; name it {}", manifest.name, place.package);
        problems.push(Problem::new(&file.path, says));
    }
    let arrows = manifest.dependencies.iter();
    problems.extend(arrows.filter_map(|arrow| check_arrow(file, place, arrow)));
    problems
}

fn check_arrow(file: &File, from: &Place, arrow: &Dependency) -> Option<Problem> {
    let package = &arrow.package;
    let name = from.package;
    let says = match layers::place_of_package(package) {
        None if layers::is_outside(package) => format!(
            "{name} must not depend on {package}, which serves tests and tasks; make it a \
             dev-dependency"
        ),
        None if layers::is_ours(package) => format!(
            "{name} depends on {package}, which is in no layer; add it to the table in \
             xtask/src/arrows/layers.rs"
        ),
        None => return None,
        Some(to) if to.layer >= from.layer => format!(
            "{name} (layer {}) must not depend on {package} (layer {}): a crate names lower layers \
             only; move what both need further down, or pass it in from above",
            from.layer, to.layer
        ),
        Some(to) if to.is_adapter() && !from.may_name_adapters() => format!(
            "{name} must not depend on {package}: the only library that names a store's adapter is \
             koinon; use the ports of koinon-store"
        ),
        Some(_) => return None,
    };
    Some(Problem::at(&file.path, arrow.line, says))
}
