//! One path for each file, without anything of the machine it is on.

use std::collections::BTreeMap;
use std::path::{Component, Path};

use super::walk::Found;

/// The path of each file relative to its input; where two would be the same, each is led by as
/// many folders of its input, as that was spelled, as it takes to tell them apart. Files that were
/// named themselves keep their bare name as long as that is possible.
pub(super) fn unique(found: &[Found]) -> Vec<String> {
    let mut paths: Vec<String> = found.iter().map(|one| slashed(&one.relative)).collect();
    let deepest = found.iter().map(|one| folders(&one.root).len()).max().unwrap_or(0);
    let steps = (1..=deepest).flat_map(|depth| [(depth, false), (depth, true)]);
    for (depth, named) in steps {
        for index in clashing(&paths) {
            if let (Some(path), Some(one)) = (paths.get_mut(index), found.get(index))
                && one.named == named
            {
                *path = led(one, depth);
            }
        }
    }
    for (number, index) in clashing(&paths).into_iter().enumerate() {
        if let Some(path) = paths.get_mut(index) {
            *path = format!("input-{}/{path}", number + 1);
        }
    }
    paths
}

/// The indices of paths that occur more than once.
fn clashing(paths: &[String]) -> Vec<usize> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for path in paths {
        *counts.entry(path).or_default() += 1;
    }
    let repeated = |path: &String| counts.get(path.as_str()).is_some_and(|count| *count > 1);
    paths.iter().enumerate().filter(|(_, path)| repeated(path)).map(|(index, _)| index).collect()
}

/// The relative path, led by the last `depth` folders of its input.
fn led(found: &Found, depth: usize) -> String {
    let folders = folders(&found.root);
    let from = folders.len().saturating_sub(depth);
    let mut parts: Vec<String> = folders.into_iter().skip(from).collect();
    parts.push(slashed(&found.relative));
    parts.join("/")
}

/// The named folders of a path as it was spelled, without `/`, `.` and `..`.
fn folders(path: &Path) -> Vec<String> {
    let mut named = Vec::new();
    for part in path.components() {
        match part {
            Component::Normal(name) => named.push(name.to_string_lossy().into_owned()),
            Component::ParentDir => named.clear(),
            Component::CurDir | Component::RootDir | Component::Prefix(_) => {}
        }
    }
    named
}

fn slashed(path: &Path) -> String {
    let names = path.components().filter_map(|part| match part {
        Component::Normal(name) => Some(name.to_string_lossy()),
        Component::CurDir | Component::ParentDir | Component::RootDir | Component::Prefix(_) => {
            None
        }
    });
    names.collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;
    use crate::dataset::sources::Location;

    fn found(root: &str, relative: &str) -> Found {
        let path = Path::new(root).join(relative);
        Found {
            root: PathBuf::from(root),
            named: !root.ends_with("docs"),
            relative: PathBuf::from(relative),
            identity: path.clone(),
            location: Location::File(path),
            size_bytes: 0,
            skipped: None,
        }
    }

    #[test]
    fn a_clash_takes_the_spelled_folders_and_nothing_of_the_machine() {
        let both = [found("/x", "README.md"), found("docs", "README.md"), found("docs", "a.md")];
        assert_eq!(unique(&both), ["README.md", "docs/README.md", "a.md"]);
        let deep = [found("/x/a/docs", "i.md"), found("/x/b/docs", "i.md")];
        assert_eq!(unique(&deep), ["a/docs/i.md", "b/docs/i.md"]);
    }

    #[test]
    fn what_cannot_be_told_apart_is_numbered() {
        let same = [found("", "stdin"), found("..", "stdin")];
        assert_eq!(unique(&same), ["input-1/stdin", "input-2/stdin"]);
    }
}
