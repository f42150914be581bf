//! Putting, getting and asking for blobs.

use std::sync::Arc;

use bytes::Bytes;
use koinon_domain::Digest;
use object_store::local::LocalFileSystem;
use object_store::memory::InMemory;
use object_store::path::Path as BlobPath;
use object_store::prefix::PrefixStore;
use object_store::{ObjectStore, ObjectStoreExt as _};

use crate::Error;
use crate::folder::{Folder, Standing};
use crate::place::{Place, blob_path};

/// From this size on, hashing takes long enough (about 0.1 ms) to leave the async threads for it.
const HASH_OFF_THREAD_FROM_BYTES: usize = 64 * 1024;

/// A store of content-addressed blobs. Clones share it and are cheap.
///
/// All its calls need a running tokio runtime.
#[derive(Debug, Clone)]
pub struct Artifacts {
    pub(crate) store: Arc<dyn ObjectStore>,
    /// Set when the blobs are files, for what `object_store` does not offer.
    pub(crate) folder: Option<Folder>,
}

impl Artifacts {
    /// Opens the store at `url` and touches nothing: a folder is created by the first write.
    ///
    /// - `file:///var/lib/koinon` is an absolute path, `file://.koinon/artifacts` a relative one,
    ///   resolved once, here. The path stands as it is: nothing in it is percent-decoded.
    /// - `memory://` is a new, empty store in memory each time, for tests.
    ///
    /// It asks the file system where the folder is, which blocks for a moment: call it at start.
    ///
    /// # Errors
    ///
    /// [`Error::BadUrl`] when the scheme is another, or the path is not, or lies below something
    /// that is not, a folder.
    pub fn open(url: &str) -> Result<Self, Error> {
        let root = match Place::parse(url)? {
            Place::Memory => return Ok(Self::in_memory()),
            Place::Folder(root) => root,
        };
        let prefix = BlobPath::from_absolute_path(&root)
            .map_err(|error| Error::BadUrl { reason: error.to_string() })?;
        // Rooted at `/`, because a `LocalFileSystem` with a root wants it to exist already.
        let files = LocalFileSystem::new().with_fsync(true);
        let store = Arc::new(PrefixStore::new(files, prefix));
        Ok(Self { store, folder: Some(Folder::new(root)) })
    }

    /// A new, empty store in memory.
    #[must_use]
    pub fn in_memory() -> Self {
        Self { store: Arc::new(InMemory::new()), folder: None }
    }

    /// Stores `bytes` and returns their digest. When it returns, the blob is complete and durable.
    ///
    /// Putting what is stored already costs a read and a sync of its folder instead of a write, and
    /// sets its [`written_at`](crate::Blob::written_at) to now, so that a sweep's grace period
    /// begins anew. A damaged blob, and anything else under its name that is not a regular file
    /// with these bytes, is replaced.
    ///
    /// # Errors
    ///
    /// [`Error::Full`] when no space is left, [`Error::Unavailable`] for any other failure. No part
    /// of a blob is visible under its name then, and the call may be repeated.
    ///
    /// # Cancel safety
    ///
    /// When the future is dropped, the blob is stored completely or not at all; repeat the call.
    pub async fn put(&self, bytes: Bytes) -> Result<Digest, Error> {
        let digest = digest_of(&bytes).await?;
        let standing = self.standing(digest, &bytes).await?;
        if !matches!(standing, Standing::Sound) {
            let written = self.store.put(&blob_path(&digest), bytes.into()).await;
            written.map_err(Error::of_store)?;
        }
        // What stood there before is locked against the sweep until here.
        drop(standing);
        Ok(digest)
    }

    /// The bytes whose digest this is; never any others.
    ///
    /// # Errors
    ///
    /// [`Error::Missing`] when there is no such blob, [`Error::Damaged`] when its bytes have
    /// another digest, [`Error::Unavailable`] when it cannot be read.
    ///
    /// # Cancel safety
    ///
    /// Nothing is changed, so nothing is lost when the future is dropped.
    pub async fn get(&self, digest: &Digest) -> Result<Bytes, Error> {
        let found = match self.store.get(&blob_path(digest)).await {
            Err(object_store::Error::NotFound { .. }) => {
                return Err(Error::Missing { digest: *digest });
            }
            found => found.map_err(Error::of_store)?,
        };
        let bytes = found.bytes().await.map_err(Error::of_store)?;
        if digest_of(&bytes).await? == *digest {
            Ok(bytes)
        } else {
            Err(Error::Damaged { digest: *digest })
        }
    }

    /// Whether something lies under this name. Only [`Artifacts::get`] tells whether it is sound.
    ///
    /// # Errors
    ///
    /// [`Error::Unavailable`] when the store cannot be asked.
    ///
    /// # Cancel safety
    ///
    /// Nothing is changed, so nothing is lost when the future is dropped.
    pub async fn contains(&self, digest: &Digest) -> Result<bool, Error> {
        match self.store.head(&blob_path(digest)).await {
            Ok(_) => Ok(true),
            Err(object_store::Error::NotFound { .. }) => Ok(false),
            Err(error) => Err(Error::of_store(error)),
        }
    }

    async fn standing(&self, digest: Digest, bytes: &Bytes) -> Result<Standing, Error> {
        let Some(folder) = self.folder.clone() else {
            // In memory a write is as cheap as a look.
            return Ok(Standing::Absent);
        };
        let bytes = bytes.clone();
        off_thread(move || folder.refresh(&digest, &bytes)).await
    }
}

/// Runs blocking work on a thread for it.
pub(crate) async fn off_thread<T, F>(work: F) -> Result<T, Error>
where
    T: Send + 'static,
    F: FnOnce() -> T + Send + 'static,
{
    tokio::task::spawn_blocking(work).await.map_err(Error::of_store)
}

async fn digest_of(bytes: &Bytes) -> Result<Digest, Error> {
    if bytes.len() < HASH_OFF_THREAD_FROM_BYTES {
        return Ok(Digest::of(bytes));
    }
    let bytes = bytes.clone();
    off_thread(move || Digest::of(&bytes)).await
}
