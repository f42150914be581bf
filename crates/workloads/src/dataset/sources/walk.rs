//! Walking folders.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::{Gather, Location, SkipReason};

/// `ELOOP`, for which the standard library has no stable name yet.
const TOO_MANY_LINKS: i32 = if cfg!(target_os = "linux") { 40 } else { 62 };

/// A file as the walk found it.
#[derive(Debug, Clone)]
pub(super) struct Found {
    /// The folder it was found below, as it was given; the file's own folder for a named file.
    pub(super) root: PathBuf,
    /// Whether the file itself was named, rather than a folder or pattern.
    pub(super) named: bool,
    /// Its path below `root`.
    pub(super) relative: PathBuf,
    /// The same for two ways to name one entry.
    pub(super) identity: PathBuf,
    pub(super) location: Location,
    pub(super) size_bytes: u64,
    pub(super) skipped: Option<SkipReason>,
}

/// A walk over all inputs, which ends one file after the most that is allowed.
pub(super) struct Walk<'a> {
    limits: &'a Gather<'a>,
    exclude: Vec<PathBuf>,
    found: Vec<Found>,
    most: usize,
}

impl<'a> Walk<'a> {
    pub(super) fn new(limits: &'a Gather<'a>) -> Self {
        let exclude = limits.exclude.iter().filter_map(|path| path.canonicalize().ok()).collect();
        let most = usize::try_from(limits.max_files).unwrap_or(usize::MAX);
        Self { limits, exclude, found: Vec::new(), most }
    }

    pub(super) fn is_full(&self) -> bool {
        self.found.len() > self.most
    }

    pub(super) fn into_found(self) -> Vec<Found> {
        self.found
    }

    pub(super) fn push(&mut self, found: Found) {
        let is_new = !self.found.iter().rev().take(1).any(|last| last.identity == found.identity);
        if is_new && !self.is_full() {
            self.found.push(found);
        }
    }

    /// Takes a path that was named; a link that was named is followed. False when it leads nowhere.
    pub(super) fn named(&mut self, path: &Path) -> bool {
        match fs::metadata(path) {
            Ok(about) if about.is_dir() => self.folder(path, path),
            Ok(about) => {
                let found = Found { named: true, ..self.found(parent(path), path, &about) };
                self.push(found);
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => return false,
            Err(error) => self.skip(parent(path), path, unreadable(&error)),
        }
        true
    }

    /// Takes a path that a pattern below `root` matched.
    pub(super) fn matched(&mut self, root: &Path, path: &Path) {
        match fs::symlink_metadata(path) {
            Ok(about) if about.is_dir() => self.folder(root, path),
            Ok(_) => self.entry(root, path),
            Err(error) => self.skip(root, path, unreadable(&error)),
        }
    }

    /// Walks `folder` without recursion, entries in order of names.
    fn folder(&mut self, root: &Path, folder: &Path) {
        let mut waiting = vec![folder.to_owned()];
        while let Some(path) = waiting.pop() {
            if self.is_full() {
                return;
            }
            if self.is_excluded(&path) {
                continue;
            }
            let is_folder = path == folder
                || fs::symlink_metadata(&path).is_ok_and(|about| about.file_type().is_dir());
            if !is_folder {
                self.entry(root, &path);
                continue;
            }
            match children(&path) {
                Ok(mut inside) => {
                    inside.reverse();
                    waiting.append(&mut inside);
                }
                Err(error) => self.skip(root, &path, unreadable(&error)),
            }
        }
    }

    /// Takes what is no folder: a file, a link, or something special.
    fn entry(&mut self, root: &Path, path: &Path) {
        let Ok(about) = fs::symlink_metadata(path) else {
            return self.skip(root, path, SkipReason::Unreadable);
        };
        if !about.file_type().is_symlink() {
            return self.file(root, path, &about);
        }
        let (target, inside) = match (path.canonicalize(), root.canonicalize()) {
            (Ok(target), Ok(root)) => {
                let inside = target.starts_with(&root);
                (target, inside)
            }
            (Err(error), _) | (_, Err(error)) => {
                return self.skip(root, path, unreadable(&error));
            }
        };
        let own_folder = parent(path).canonicalize().unwrap_or_default();
        match fs::metadata(&target) {
            Ok(about) if about.is_dir() && own_folder.starts_with(&target) && inside => {
                self.skip(root, path, SkipReason::SymlinkLoop);
            }
            Ok(_) if !inside => self.skip(root, path, SkipReason::SymlinkOutsideRoot),
            // What it leads to is below the same root and is listed under its own path.
            Ok(about) if about.is_dir() => {}
            Ok(about) => {
                let mut found = self.found(root, path, &about);
                found.identity = own_folder.join(path.file_name().unwrap_or_default());
                self.push(found);
            }
            Err(error) => self.skip(root, path, unreadable(&error)),
        }
    }

    fn file(&mut self, root: &Path, path: &Path, about: &fs::Metadata) {
        let found = self.found(root, path, about);
        self.push(found);
    }

    fn found(&self, root: &Path, path: &Path, about: &fs::Metadata) -> Found {
        let skipped = if !about.is_file() {
            Some(SkipReason::SpecialFile)
        } else if about.len() > self.limits.max_file_bytes {
            Some(SkipReason::FileTooLarge)
        } else if fs::File::open(path).is_err() {
            Some(SkipReason::Unreadable)
        } else {
            None
        };
        Found {
            root: root.to_owned(),
            named: false,
            relative: path.strip_prefix(root).unwrap_or(path).to_owned(),
            identity: path.canonicalize().unwrap_or_else(|_| path.to_owned()),
            location: Location::File(path.to_owned()),
            size_bytes: about.len(),
            skipped,
        }
    }

    fn skip(&mut self, root: &Path, path: &Path, reason: SkipReason) {
        self.push(Found {
            root: root.to_owned(),
            named: false,
            relative: path.strip_prefix(root).unwrap_or(path).to_owned(),
            identity: path.to_owned(),
            location: Location::File(path.to_owned()),
            size_bytes: 0,
            skipped: Some(reason),
        });
    }

    fn is_excluded(&self, path: &Path) -> bool {
        !self.exclude.is_empty()
            && path.canonicalize().is_ok_and(|path| self.exclude.contains(&path))
    }
}

/// The entries of a folder that are not hidden, sorted by name.
fn children(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut inside = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if !entry.file_name().to_string_lossy().starts_with('.') {
            inside.push(entry.path());
        }
    }
    inside.sort();
    Ok(inside)
}

/// The folder that a path is in; `.` for a bare name.
fn parent(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new(""),
    }
}

fn unreadable(error: &io::Error) -> SkipReason {
    match error.raw_os_error() {
        Some(TOO_MANY_LINKS) => SkipReason::SymlinkLoop,
        Some(_) | None => SkipReason::Unreadable,
    }
}
