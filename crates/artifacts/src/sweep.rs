//! What a retention sweep needs: a list, and removal that does not race with a put.

use std::time::SystemTime;

use futures::StreamExt as _;
use futures::future::ready;
use futures::stream::BoxStream;
use koinon_domain::Digest;
use object_store::path::Path as BlobPath;
use object_store::{ObjectMeta, ObjectStoreExt as _};

use crate::artifacts::off_thread;
use crate::place::{BLOBS, blob_path, digest_at};
use crate::{Artifacts, Error};

/// A stored blob, as a list of them shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Blob {
    /// Its name. The bytes were not looked at.
    pub digest: Digest,
    /// Its length in bytes.
    pub size_bytes: u64,
    /// When it was last put, by the clock of the host or of the storage service.
    pub written_at: SystemTime,
}

/// What came of removing a blob that was listed before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum Removal {
    /// It is not there any more.
    Removed,
    /// It stays: it was put again since it was listed, or is being put right now.
    Kept,
}

impl Artifacts {
    /// Lists the stored blobs in no particular order, reading as the list is read. What is not a
    /// blob, interrupted writes among it, is left out. A blob that is put or removed meanwhile may
    /// or may not be in the list. An item that is an error ends the list.
    ///
    /// It is `async` so that it looks at the disk from inside a runtime, off the async threads.
    ///
    /// # Cancel safety
    ///
    /// Nothing is changed, so nothing is lost when the list is dropped half read.
    pub async fn blobs(&self) -> BoxStream<'static, Result<Blob, Error>> {
        let found = self.store.list(Some(&BlobPath::from(BLOBS)));
        found.filter_map(|found| ready(blob(found).transpose())).boxed()
    }

    /// Removes a blob that [`Artifacts::blobs`] listed and that no row names, unless it was put
    /// again since. This is what a sweep calls, in this order: list, leave out blobs whose
    /// `written_at` is younger than the grace period, ask the store whether a row names the blob,
    /// and remove. The grace period must be longer than any put followed by the commit of its row.
    ///
    /// # Errors
    ///
    /// [`Error::Unavailable`] when the blob can be neither looked at nor removed.
    ///
    /// # Cancel safety
    ///
    /// When the future is dropped, the blob may or may not be removed; repeat the sweep.
    pub async fn remove_listed(&self, blob: &Blob) -> Result<Removal, Error> {
        let Blob { digest, written_at, .. } = *blob;
        if let Some(folder) = self.folder.clone() {
            let removal = off_thread(move || folder.remove_listed(&digest, written_at)).await?;
            return removal.map_err(Error::of_store);
        }
        match self.store.head(&blob_path(&digest)).await {
            Ok(found) if SystemTime::from(found.last_modified) != written_at => Ok(Removal::Kept),
            Ok(_) => self.remove(&digest).await.map(|()| Removal::Removed),
            Err(object_store::Error::NotFound { .. }) => Ok(Removal::Removed),
            Err(error) => Err(Error::of_store(error)),
        }
    }

    /// Removes a blob whatever names it. Removing what is not there succeeds.
    ///
    /// # Errors
    ///
    /// [`Error::Unavailable`] when it cannot be removed.
    ///
    /// # Cancel safety
    ///
    /// When the future is dropped, the blob may or may not be removed; repeat the call.
    pub async fn remove(&self, digest: &Digest) -> Result<(), Error> {
        match self.store.delete(&blob_path(digest)).await {
            Err(object_store::Error::NotFound { .. }) => Ok(()),
            removed => removed.map_err(Error::of_store),
        }
    }

    /// Removes what interrupted puts left behind and did not write to since `written_before`; says
    /// how many files those were. A put that is under way is younger than any sensible grace
    /// period; one that loses its file all the same fails as [`Error::Unavailable`].
    ///
    /// # Errors
    ///
    /// [`Error::Unavailable`] when the folder cannot be read or changed.
    ///
    /// # Cancel safety
    ///
    /// When the future is dropped, some of them may be removed; repeat the call.
    pub async fn remove_unfinished(&self, written_before: SystemTime) -> Result<u64, Error> {
        let Some(folder) = self.folder.clone() else {
            return Ok(0);
        };
        off_thread(move || folder.remove_unfinished(written_before)).await?.map_err(Error::of_store)
    }
}

fn blob(found: object_store::Result<ObjectMeta>) -> Result<Option<Blob>, Error> {
    let found = found.map_err(Error::of_store)?;
    Ok(digest_at(&found.location).map(|digest| Blob {
        digest,
        size_bytes: found.size,
        written_at: found.last_modified.into(),
    }))
}
