use std::path::{Path, PathBuf};

use bytes::Bytes;
use futures::TryStreamExt as _;
use koinon_domain::Digest;
use tempfile::TempDir;

use crate::{Artifacts, Blob};

mod address;
mod damage;
mod put_get;
mod retention;

/// A store in a temporary folder, which goes away with the value.
struct Fixture {
    folder: TempDir,
    artifacts: Artifacts,
}

impl Fixture {
    fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let artifacts = open(folder.path());
        Self { folder, artifacts }
    }

    /// Where the blob's file lies.
    fn file_of(&self, digest: &Digest) -> PathBuf {
        let name = digest.to_string();
        self.folder.path().join("sha256").join(&name[..2]).join(&name[2..])
    }

    async fn put(&self, bytes: &'static [u8]) -> Digest {
        self.artifacts.put(Bytes::from_static(bytes)).await.unwrap()
    }
}

fn open(folder: &Path) -> Artifacts {
    Artifacts::open(&format!("file://{}", folder.display())).unwrap()
}

async fn listed(artifacts: &Artifacts) -> Vec<Blob> {
    artifacts.blobs().await.try_collect().await.unwrap()
}
