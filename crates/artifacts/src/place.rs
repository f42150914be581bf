//! Where a store is (its address) and where a blob is in it (its path).

use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};

use koinon_domain::Digest;
use object_store::path::Path as BlobPath;

use crate::Error;

/// The folder of all blobs, named after what their names are.
pub(crate) const BLOBS: &str = "sha256";

/// The address of a store.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Memory,
    Folder(PathBuf),
}

impl Place {
    /// Reads an address. What follows `file://` is a path as it stands: nothing is decoded.
    pub(crate) fn parse(url: &str) -> Result<Self, Error> {
        let Some((scheme, rest)) = url.split_once("://") else {
            return refuse("an address begins with `file://` or `memory://`".to_owned());
        };
        match scheme {
            "file" => resolve(rest).map(Self::Folder),
            "memory" if rest.is_empty() => Ok(Self::Memory),
            "memory" => refuse("nothing follows `memory://`".to_owned()),
            _ => refuse(format!(
                "the scheme `{scheme}` is not supported; `file://` and `memory://` are"
            )),
        }
    }
}

/// The place of a blob inside its store.
pub(crate) fn blob_path(digest: &Digest) -> BlobPath {
    let name = digest.to_string();
    let (shard, rest) = name.split_at(2);
    BlobPath::from_iter([BLOBS, shard, rest])
}

/// The digest whose blob lies at `path`; none when something else does.
pub(crate) fn digest_at(path: &BlobPath) -> Option<Digest> {
    let name = path.as_ref().strip_prefix(BLOBS)?.replace('/', "");
    let digest = name.parse().ok()?;
    (blob_path(&digest) == *path).then_some(digest)
}

/// The absolute path of a folder that need not exist yet, without links, `.` and `..` in it.
fn resolve(path: &str) -> Result<PathBuf, Error> {
    if path.is_empty() {
        return refuse("a folder follows `file://`".to_owned());
    }
    if path == "~" || path.starts_with("~/") {
        return refuse("`~` is not expanded in an address; write the path in full".to_owned());
    }
    let unusable = |error: &dyn std::fmt::Display| Error::BadUrl {
        reason: format!("the folder `{path}` cannot be used: {error}"),
    };
    let absolute = std::path::absolute(path).map_err(|error| unusable(&error))?;
    let (existing, missing) = split_at_existing(&absolute);
    let mut folder = existing.canonicalize().map_err(|error| unusable(&error))?;
    if !folder.is_dir() {
        return refuse(format!("`{path}` is, or lies below, something that is not a folder"));
    }
    for part in missing.components() {
        match part {
            Component::ParentDir => {
                folder.pop();
            }
            Component::Normal(name) => folder.push(name),
            Component::CurDir | Component::RootDir | Component::Prefix(_) => {}
        }
    }
    Ok(folder)
}

/// Cuts a path after its longest part that exists. Only that part can have links in it.
fn split_at_existing(path: &Path) -> (&Path, PathBuf) {
    let mut existing = path;
    let mut missing: Vec<OsString> = Vec::new();
    for ancestor in path.ancestors() {
        existing = ancestor;
        if ancestor.symlink_metadata().is_ok() {
            break;
        }
        missing.extend(ancestor.components().next_back().map(|part| part.as_os_str().to_owned()));
    }
    (existing, missing.into_iter().rev().collect())
}

fn refuse<T>(reason: String) -> Result<T, Error> {
    Err(Error::BadUrl { reason })
}
