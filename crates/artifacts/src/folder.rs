//! What `object_store` does not offer about blobs that are files: looking under a lock, renewing
//! a blob's time, removing it only if nobody renewed it, and clearing away interrupted writes.
//!
//! The put that finds a blob and the sweep that removes it meet on the lock of the blob's file. The
//! put holds it shared while it looks and renews the time; the sweep holds it alone while it
//! compares the time and removes. So either the sweep sees the new time, or the put sees that the
//! file is gone and writes another.

use std::fs::{self, DirEntry, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Read as _};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use koinon_domain::Digest;

use crate::Removal;
use crate::place::{BLOBS, blob_path};

/// A folder of blobs. Everything here blocks.
#[derive(Debug, Clone)]
pub(crate) struct Folder {
    root: PathBuf,
}

/// What stands under a blob's name.
#[derive(Debug)]
pub(crate) enum Standing {
    /// Nothing that could be kept.
    Absent,
    /// A file with other bytes; the lock on it lasts as long as the handle.
    Damaged { _lock: File },
    /// The blob, complete and durable, its time renewed.
    Sound,
}

impl Folder {
    pub(crate) fn new(root: PathBuf) -> Self {
        Self { root }
    }

    /// Looks for a blob and renews its time. A look that fails is no reason to fail: the write that
    /// follows succeeds, or it says what is wrong.
    pub(crate) fn refresh(&self, digest: &Digest, bytes: &[u8]) -> Standing {
        self.try_refresh(digest, bytes).unwrap_or(Standing::Absent)
    }

    fn try_refresh(&self, digest: &Digest, bytes: &[u8]) -> io::Result<Standing> {
        let path = self.file_of(digest);
        // Opening a pipe would wait for its other end, and a link may dangle tomorrow.
        if !fs::symlink_metadata(&path)?.is_file() {
            return Ok(Standing::Absent);
        }
        let file = File::open(&path)?;
        file.lock_shared()?;
        if !has_bytes(&file, bytes)? {
            return Ok(Standing::Damaged { _lock: file });
        }
        file.set_modified(file_time_now())?;
        if !lies_at(&file, &path)? {
            return Ok(Standing::Absent);
        }
        // Another process may have renamed the file to this name and not yet synced the folder.
        if let Some(shard) = path.parent() {
            sync_folder(shard)?;
        }
        Ok(Standing::Sound)
    }

    /// Removes a blob whose time is still the one that was listed.
    pub(crate) fn remove_listed(
        &self,
        digest: &Digest,
        written_at: SystemTime,
    ) -> io::Result<Removal> {
        let path = self.file_of(digest);
        let file = match OpenOptions::new().read(true).write(true).open(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Removal::Removed),
            file => file?,
        };
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Ok(Removal::Kept),
            Err(TryLockError::Error(error)) => return Err(error),
        }
        if !lies_at(&file, &path)? || file.metadata()?.modified()? != written_at {
            return Ok(Removal::Kept);
        }
        fs::remove_file(&path)?;
        Ok(Removal::Removed)
    }

    /// Removes the `#` files last written before `written_before`; says how many.
    pub(crate) fn remove_unfinished(&self, written_before: SystemTime) -> io::Result<u64> {
        let mut removed = 0;
        for shard in entries(&self.root.join(BLOBS))? {
            let shard = shard?;
            if !shard.file_type()?.is_dir() {
                continue;
            }
            for entry in entries(&shard.path())? {
                let entry = entry?;
                if is_unfinished(&entry) && remove_older(&entry.path(), written_before)? {
                    removed += 1;
                }
            }
        }
        Ok(removed)
    }

    fn file_of(&self, digest: &Digest) -> PathBuf {
        self.root.join(blob_path(digest).as_ref())
    }
}

fn has_bytes(mut file: &File, bytes: &[u8]) -> io::Result<bool> {
    if usize::try_from(file.metadata()?.len()) != Ok(bytes.len()) {
        return Ok(false);
    }
    let mut buffer = vec![0; bytes.len().min(256 * 1024)];
    for expected in bytes.chunks(256 * 1024) {
        let (found, _) = buffer.split_at_mut(expected.len());
        file.read_exact(found)?;
        if found != expected {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether `path` still leads to the file that was opened, and not by a link.
#[cfg(unix)]
fn lies_at(file: &File, path: &Path) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt as _;
    let opened = file.metadata()?;
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        there => {
            let there = there?;
            Ok((there.dev(), there.ino()) == (opened.dev(), opened.ino()))
        }
    }
}

/// Elsewhere a file that is open can be neither removed nor replaced.
#[cfg(not(unix))]
fn lies_at(_file: &File, path: &Path) -> io::Result<bool> {
    path.try_exists()
}

#[cfg(unix)]
fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

#[cfg(not(unix))]
fn sync_folder(_folder: &Path) -> io::Result<()> {
    Ok(())
}

#[expect(
    clippy::disallowed_methods,
    reason = "the host's clock stamps every written file, so it stamps the renewed ones as well"
)]
fn file_time_now() -> SystemTime {
    SystemTime::now()
}

/// The entries of a folder; none when there is no such folder.
fn entries(folder: &Path) -> io::Result<impl Iterator<Item = io::Result<DirEntry>>> {
    match fs::read_dir(folder) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None.into_iter().flatten()),
        entries => Ok(Some(entries?).into_iter().flatten()),
    }
}

/// Whether the entry is named `<name>#<number>`, as `object_store` names a file that it writes.
fn is_unfinished(entry: &DirEntry) -> bool {
    let name = entry.file_name();
    let number = name.to_str().and_then(|name| name.split_once('#')).map(|(_, number)| number);
    number.is_some_and(|number| !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()))
}

fn remove_older(path: &Path, written_before: SystemTime) -> io::Result<bool> {
    let removed = fs::symlink_metadata(path)
        .and_then(|found| Ok(found.modified()? < written_before))
        .and_then(|older| if older { fs::remove_file(path).map(|()| true) } else { Ok(false) });
    match removed {
        // Its put has ended meanwhile, or another sweep was faster.
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        removed => removed,
    }
}
