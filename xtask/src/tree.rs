//! The files of a workspace, as the checks see them.

use std::path::Path;

use anyhow::Context as _;
use ignore::WalkBuilder;

use crate::source::Source;

/// The kinds of file whose text a check reads.
const READ: [&str; 4] = ["rs", "sql", "md", "toml"];

/// All files that belong to the repository: whatever is there and not ignored by `.gitignore`.
#[derive(Debug)]
pub(crate) struct Tree {
    files: Vec<File>,
}

/// One file.
#[derive(Debug)]
pub(crate) struct File {
    /// Where it is below the root, with `/` between the parts.
    pub(crate) path: String,
    /// What it says; empty for the kinds that no check reads.
    pub(crate) text: String,
}

impl Tree {
    /// Reads the tree below a folder.
    pub(crate) fn read(root: &Path) -> anyhow::Result<Self> {
        let mut files = Vec::new();
        // The rules of this tree only: neither those of the folders above nor the user's own.
        let walk = WalkBuilder::new(root)
            .hidden(false)
            .parents(false)
            .ignore(false)
            .git_global(false)
            .require_git(false)
            .filter_entry(|entry| entry.file_name() != ".git")
            .build();
        for entry in walk {
            let entry = entry.with_context(|| format!("cannot list {}", root.display()))?;
            if entry.file_type().is_some_and(|kind| !kind.is_dir()) {
                let path = slashed(entry.path().strip_prefix(root)?);
                files.push(File { path, text: text_of(entry.path())? });
            }
        }
        files.sort_unstable_by(|one, other| one.path.cmp(&other.path));
        Ok(Self { files })
    }

    /// Every file, in the order of the paths.
    pub(crate) fn files(&self) -> impl Iterator<Item = &File> {
        self.files.iter()
    }

    /// The file at a path.
    pub(crate) fn file(&self, path: &str) -> Option<&File> {
        self.files.iter().find(|file| file.path == path)
    }

    /// The names of the files that stand directly in a folder.
    pub(crate) fn names_in(&self, folder: &str) -> impl Iterator<Item = &str> {
        let inside = self.files.iter().filter_map(move |file| file.path.strip_prefix(folder));
        inside.filter_map(|rest| rest.strip_prefix('/')).filter(|name| !name.contains('/'))
    }

    /// The manifests of the packages that stand directly in a folder.
    pub(crate) fn manifests_in(&self, folder: &str) -> impl Iterator<Item = &File> {
        self.files.iter().filter(move |file| {
            let inside = file.path.strip_prefix(folder).and_then(|rest| rest.strip_prefix('/'));
            inside
                .and_then(|rest| rest.split_once('/'))
                .is_some_and(|(_, name)| name == "Cargo.toml")
        })
    }

    /// Every Rust file, as tokens.
    pub(crate) fn sources(&self) -> impl Iterator<Item = (&File, Source)> {
        self.rust().map(|file| (file, Source::read(file)))
    }

    /// Every Rust file.
    pub(crate) fn rust(&self) -> impl Iterator<Item = &File> {
        self.with_extension("rs")
    }

    /// Every SQL file.
    pub(crate) fn sql(&self) -> impl Iterator<Item = &File> {
        self.with_extension("sql")
    }

    fn with_extension(&self, extension: &'static str) -> impl Iterator<Item = &File> {
        self.files.iter().filter(move |file| file.extension() == Some(extension))
    }
}

impl File {
    /// The part of the path behind the last `/`.
    pub(crate) fn name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or(&self.path)
    }

    /// The part of the name behind the last dot.
    fn extension(&self) -> Option<&str> {
        self.name().rsplit_once('.').map(|(_, extension)| extension)
    }

    /// Whether the path lies below one of the folders.
    pub(crate) fn is_below(&self, folders: &[&str]) -> bool {
        folders
            .iter()
            .any(|folder| self.path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/')))
    }
}

fn text_of(path: &Path) -> anyhow::Result<String> {
    let extension = path.extension().and_then(|extension| extension.to_str());
    if !extension.is_some_and(|extension| READ.contains(&extension)) || !path.is_file() {
        return Ok(String::new());
    }
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    // Test data may be in any encoding; what is no UTF-8 is no text of ours.
    Ok(String::from_utf8(bytes).unwrap_or_default())
}

fn slashed(path: &Path) -> String {
    path.to_string_lossy().replace(std::path::MAIN_SEPARATOR, "/")
}
