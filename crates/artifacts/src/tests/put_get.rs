use std::fs;

use bytes::Bytes;
use koinon_domain::Digest;
use tokio::task::JoinSet;

use super::{Fixture, listed, open};
use crate::{Artifacts, Error};

#[tokio::test]
async fn what_was_put_is_got_from_every_store() {
    let fixture = Fixture::new();
    for artifacts in [Artifacts::in_memory(), fixture.artifacts.clone()] {
        for size in [0, 1, 64 * 1024 - 1, 64 * 1024, 1024 * 1024 + 1] {
            let bytes = Bytes::from(vec![7; size]);
            let digest = artifacts.put(bytes.clone()).await.unwrap();
            assert_eq!(digest, Digest::of(&bytes));
            assert_eq!(artifacts.get(&digest).await.unwrap(), bytes);
        }
        assert_eq!(listed(&artifacts).await.len(), 5);
    }
}

#[tokio::test]
async fn a_blob_lies_under_its_digest() {
    let fixture = Fixture::new();
    let digest = fixture.put(b"abc").await;
    let hex = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    assert_eq!(digest.to_string(), hex);

    let file = fixture.folder.path().join("sha256/ba").join(&hex[2..]);
    assert_eq!(fs::read(file).unwrap(), b"abc");
}

#[tokio::test]
async fn what_was_never_put_is_missing() {
    let fixture = Fixture::new();
    let digest = Digest::of(b"never put");
    for artifacts in [Artifacts::in_memory(), fixture.artifacts.clone()] {
        assert!(!artifacts.contains(&digest).await.unwrap());
        let error = artifacts.get(&digest).await.unwrap_err();
        assert!(matches!(error, Error::Missing { digest: missing } if missing == digest));
        assert_eq!((error.code(), error.is_transient()), ("artifact_missing", false));
    }
}

#[cfg(unix)]
#[tokio::test]
async fn the_same_bytes_are_written_once_and_their_time_renewed() {
    use std::os::unix::fs::MetadataExt as _;
    use std::time::UNIX_EPOCH;

    let fixture = Fixture::new();
    let digest = fixture.put(b"same").await;
    let file = fixture.file_of(&digest);
    let inode = fs::metadata(&file).unwrap().ino();
    fs::File::options().write(true).open(&file).unwrap().set_modified(UNIX_EPOCH).unwrap();

    assert_eq!(fixture.put(b"same").await, digest);

    let metadata = fs::metadata(&file).unwrap();
    assert_eq!(metadata.ino(), inode);
    assert!(metadata.modified().unwrap() > UNIX_EPOCH);
    assert_eq!(listed(&fixture.artifacts).await.len(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn many_may_put_the_same_blob_at_once() {
    let fixture = Fixture::new();
    let bytes = Bytes::from(vec![1; 300_000]);
    let mut puts = JoinSet::new();
    for _ in 0..16 {
        let (artifacts, bytes) = (open(fixture.folder.path()), bytes.clone());
        puts.spawn(async move { artifacts.put(bytes).await.unwrap() });
    }

    let digests = puts.join_all().await;

    assert!(digests.iter().all(|digest| *digest == digests[0]));
    assert_eq!(fixture.artifacts.get(&digests[0]).await.unwrap(), bytes);
    let shard = fixture.file_of(&digests[0]);
    assert_eq!(fs::read_dir(shard.parent().unwrap()).unwrap().count(), 1);
}

#[tokio::test]
async fn a_put_that_is_dropped_stores_all_or_nothing() {
    let fixture = Fixture::new();
    let bytes = Bytes::from(vec![2; 200_000]);
    let digest = Digest::of(&bytes);
    for turns in 0..4 {
        let put = fixture.artifacts.put(bytes.clone());
        tokio::select! {
            biased;
            _ = put => {}
            () = async { for _ in 0..turns { tokio::task::yield_now().await; } } => {}
        }
        match fixture.artifacts.get(&digest).await {
            Ok(found) => assert_eq!(found, bytes),
            Err(error) => assert!(matches!(error, Error::Missing { .. }), "{error:?}"),
        }
    }
    assert_eq!(fixture.artifacts.put(bytes).await.unwrap(), digest);
}
