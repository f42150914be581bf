//! From arguments to entries.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::walk::{Found, Walk};
use super::{Entry, Location, STDIN_PATH, names};

/// The inputs cannot be gathered as they were named.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SourceError {
    /// No such file or folder, or no file that the pattern matches.
    #[error("no such input: {path}")]
    Missing {
        /// As it was given.
        path: String,
    },
    /// The pattern cannot be read.
    #[error("the pattern {pattern} cannot be read")]
    Pattern {
        /// As it was given.
        pattern: String,
        /// What is wrong with it.
        #[source]
        source: glob::PatternError,
    },
    /// Nothing was named.
    #[error("no input was given")]
    NoInput,
}

/// What is gathered, and what is left out.
#[derive(Debug, Clone, Copy)]
pub struct Gather<'a> {
    /// Larger files are listed as skipped.
    pub max_file_bytes: u64,
    /// Gathering ends after one more.
    pub max_files: u32,
    /// Files and folders that are passed over, such as the output folder.
    pub exclude: &'a [PathBuf],
}

/// The entries, sorted by path, each path once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gathered {
    /// What was found.
    pub entries: Vec<Entry>,
    /// Whether there was more than `max_files`; the rest is not listed.
    pub overflowed: bool,
}

impl Gather<'_> {
    /// Lists the files that `inputs` name: files, folders, patterns, and `-` for standard input.
    ///
    /// Folders are walked in order of names, without hidden entries. A file that is named twice is
    /// listed once.
    ///
    /// # Errors
    ///
    /// [`SourceError`] when an input does not exist or a pattern matches nothing.
    pub fn gather<S: AsRef<str>>(&self, inputs: &[S]) -> Result<Gathered, SourceError> {
        if inputs.is_empty() {
            return Err(SourceError::NoInput);
        }
        let mut walk = Walk::new(self);
        for input in inputs {
            self.one(input.as_ref(), &mut walk)?;
        }
        let overflowed = walk.is_full();
        let mut seen = BTreeSet::new();
        let mut found = walk.into_found();
        found.retain(|found| seen.insert(found.identity.clone()));
        let paths = names::unique(&found);
        let mut entries: Vec<Entry> = found
            .into_iter()
            .zip(paths)
            .map(|(found, path)| Entry {
                path,
                location: found.location,
                size_bytes: found.size_bytes,
                skipped: found.skipped,
            })
            .collect();
        entries.sort_by(|one, other| one.path.cmp(&other.path));
        Ok(Gathered { entries, overflowed })
    }

    fn one(&self, input: &str, walk: &mut Walk<'_>) -> Result<(), SourceError> {
        if input == "-" {
            walk.push(Found::stdin());
            return Ok(());
        }
        let path = Path::new(input);
        if path.symlink_metadata().is_ok() {
            return if walk.named(path) { Ok(()) } else { Err(missing(input)) };
        }
        if input.contains(['*', '?', '[']) { pattern(input, walk) } else { Err(missing(input)) }
    }
}

/// Lists what a pattern matches, relative to the folder before its first wildcard.
fn pattern(input: &str, walk: &mut Walk<'_>) -> Result<(), SourceError> {
    let invalid = |source| SourceError::Pattern { pattern: input.to_owned(), source };
    let matches = glob::glob_with(
        input,
        glob::MatchOptions {
            case_sensitive: true,
            require_literal_separator: true,
            require_literal_leading_dot: true,
        },
    )
    .map_err(invalid)?;
    let root = fixed_prefix(input);
    let mut matched = false;
    // A folder that cannot be listed matches nothing.
    for path in matches.flatten() {
        matched = true;
        walk.matched(&root, &path);
    }
    if matched { Ok(()) } else { Err(missing(input)) }
}

/// The folder before the first component with a wildcard.
fn fixed_prefix(input: &str) -> PathBuf {
    let wild = |part: &std::path::Component<'_>| {
        part.as_os_str().to_string_lossy().contains(['*', '?', '['])
    };
    let prefix: PathBuf = Path::new(input).components().take_while(|part| !wild(part)).collect();
    if prefix.as_os_str().is_empty() { PathBuf::from(".") } else { prefix }
}

fn missing(input: &str) -> SourceError {
    SourceError::Missing { path: input.to_owned() }
}

impl Found {
    fn stdin() -> Self {
        Self {
            root: PathBuf::new(),
            named: true,
            relative: PathBuf::from(STDIN_PATH),
            identity: PathBuf::from("-"),
            location: Location::Stdin,
            size_bytes: 0,
            skipped: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;
    use crate::dataset::sources::SkipReason;

    const ALL: Gather<'_> = Gather { max_file_bytes: 100, max_files: 50, exclude: &[] };

    fn tree(files: &[&str]) -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        for file in files {
            let path = dir.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, file).unwrap();
        }
        dir
    }

    fn at(dir: &tempfile::TempDir, path: &str) -> String {
        dir.path().join(path).to_str().unwrap().to_owned()
    }

    fn paths(gathered: &Gathered) -> Vec<&str> {
        gathered.entries.iter().map(|entry| entry.path.as_str()).collect()
    }

    fn skipped(gathered: &Gathered, path: &str) -> Option<SkipReason> {
        gathered.entries.iter().find(|entry| entry.path == path).unwrap().skipped
    }

    #[test]
    fn a_folder_is_walked_in_order_without_hidden_entries() {
        let dir = tree(&["docs/b.md", "docs/a/z.md", "docs/.git/config", "docs/.x.md"]);
        let gathered = ALL.gather(&[at(&dir, "docs")]).unwrap();
        assert_eq!(paths(&gathered), ["a/z.md", "b.md"]);
    }

    #[test]
    fn equal_relative_paths_are_told_apart_by_the_folder_as_it_was_named() {
        let dir = tree(&["README.md", "docs/README.md", "more/docs/README.md"]);
        let inputs = [at(&dir, "README.md"), at(&dir, "docs"), at(&dir, "more/docs")];
        let gathered = ALL.gather(&inputs).unwrap();
        assert_eq!(gathered.entries.len(), 3);
        let mut listed = paths(&gathered);
        listed.dedup();
        assert_eq!(listed.len(), 3);
        assert!(listed.contains(&"more/docs/README.md"), "{listed:?}");
    }

    #[test]
    fn a_file_named_twice_is_listed_once() {
        let dir = tree(&["docs/a.md"]);
        let gathered = ALL.gather(&[at(&dir, "docs"), at(&dir, "docs/a.md")]).unwrap();
        assert_eq!(paths(&gathered), ["a.md"]);
    }

    #[test]
    fn patterns_match_relative_to_their_fixed_folder() {
        let dir = tree(&["docs/x/a.md", "docs/b.md", "docs/c.txt"]);
        let gathered = ALL.gather(&[at(&dir, "docs/**/*.md")]).unwrap();
        assert_eq!(paths(&gathered), ["b.md", "x/a.md"]);
    }

    #[test]
    fn what_is_missing_is_an_error_that_names_it() {
        let dir = tree(&["a.md"]);
        for input in ["nope.md", "*.rst", "[", "a.md/x"] {
            let error = ALL.gather(&[at(&dir, input)]).unwrap_err();
            assert!(error.to_string().contains(input), "{error}");
        }
        assert!(matches!(ALL.gather::<&str>(&[]), Err(SourceError::NoInput)));
    }

    #[test]
    fn links_out_of_the_folder_and_loops_are_refused() {
        let dir = tree(&["docs/a.md", "secret.md"]);
        symlink(at(&dir, "secret.md"), dir.path().join("docs/out.md")).unwrap();
        symlink(dir.path(), dir.path().join("docs/up")).unwrap();
        symlink(".", dir.path().join("docs/loop")).unwrap();
        symlink("self", dir.path().join("docs/self")).unwrap();
        symlink("a.md", dir.path().join("docs/in.md")).unwrap();
        let gathered = ALL.gather(&[at(&dir, "docs")]).unwrap();
        assert_eq!(skipped(&gathered, "out.md"), Some(SkipReason::SymlinkOutsideRoot));
        assert_eq!(skipped(&gathered, "loop"), Some(SkipReason::SymlinkLoop));
        assert_eq!(skipped(&gathered, "self"), Some(SkipReason::SymlinkLoop));
        assert_eq!(skipped(&gathered, "in.md"), None);
        assert_eq!(skipped(&gathered, "a.md"), None);
        assert!(skipped(&gathered, "up").is_some());
    }

    #[test]
    fn large_files_and_excluded_folders_are_not_read() {
        let dir = tree(&["docs/a.md", "docs/out/train.jsonl"]);
        fs::write(dir.path().join("docs/big.md"), [b'x'; 101]).unwrap();
        let exclude = [dir.path().join("docs/out")];
        let gathered = Gather { exclude: &exclude, ..ALL }.gather(&[at(&dir, "docs")]).unwrap();
        assert_eq!(paths(&gathered), ["a.md", "big.md"]);
        assert_eq!(skipped(&gathered, "big.md"), Some(SkipReason::FileTooLarge));
    }

    #[test]
    fn more_than_max_files_is_an_overflow_and_exactly_as_many_is_not() {
        let dir = tree(&["a", "b", "c"]);
        let root = [at(&dir, "")];
        assert!(!Gather { max_files: 3, ..ALL }.gather(&root).unwrap().overflowed);
        let gathered = Gather { max_files: 2, ..ALL }.gather(&root).unwrap();
        assert!(gathered.overflowed);
        assert_eq!(gathered.entries.len(), 3);
    }

    #[test]
    fn a_pipe_is_no_file() {
        let dir = tree(&["a.md"]);
        let socket = std::os::unix::net::UnixListener::bind(dir.path().join("s")).unwrap();
        let gathered = ALL.gather(&[at(&dir, "")]).unwrap();
        assert_eq!(skipped(&gathered, "s"), Some(SkipReason::SpecialFile));
        drop(socket);
    }
}
