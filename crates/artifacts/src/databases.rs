//! Which databases name blobs of a store, so that nobody sweeps those of another.

use std::collections::BTreeSet;

use futures::TryStreamExt as _;
use koinon_domain::DatabaseId;
use object_store::path::Path as BlobPath;
use object_store::{ObjectStoreExt as _, PutPayload};

use crate::{Artifacts, Error};

/// The folder of the notes, each named by the id of a database.
const DATABASES: &str = "databases";

impl Artifacts {
    /// Notes that rows of this database may name blobs of the store. Whoever opens a database calls it before
    /// the first put whose digest goes into a row there. What is noted already is left alone.
    ///
    /// # Errors
    ///
    /// [`Error::Full`] when no space is left, [`Error::Unavailable`] for any other failure.
    ///
    /// # Cancel safety
    ///
    /// When the future is dropped, it is noted or not; repeat the call.
    pub async fn note_database(&self, database: DatabaseId) -> Result<(), Error> {
        let path = BlobPath::from_iter([DATABASES.to_owned(), database.to_string()]);
        match self.store.head(&path).await {
            Ok(_) => return Ok(()),
            Err(object_store::Error::NotFound { .. }) => {}
            Err(error) => return Err(Error::of_store(error)),
        }
        let note =
            PutPayload::from_static(b"Rows of this database may name blobs of this store.\n");
        self.store.put(&path, note).await.map(drop).map_err(Error::of_store)
    }

    /// The databases whose rows may name blobs of the store. A file that is named by no id is left out.
    ///
    /// # Errors
    ///
    /// [`Error::Unavailable`] when the store cannot be asked.
    ///
    /// # Cancel safety
    ///
    /// Nothing is changed, so nothing is lost when the future is dropped.
    pub async fn databases(&self) -> Result<BTreeSet<DatabaseId>, Error> {
        let found = self.store.list(Some(&BlobPath::from(DATABASES)));
        let paths: Vec<BlobPath> =
            found.map_ok(|found| found.location).try_collect().await.map_err(Error::of_store)?;
        Ok(paths.iter().filter_map(|path| path.filename()?.parse().ok()).collect())
    }
}
