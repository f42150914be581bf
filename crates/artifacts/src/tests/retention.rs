use std::fs::{self, File};
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use bytes::Bytes;
use koinon_domain::Digest;

use super::{Fixture, listed};
use crate::{Artifacts, Removal};

const LONG_AGO: SystemTime = UNIX_EPOCH;

fn set_written_at(file: &Path, written_at: SystemTime) {
    File::options().write(true).open(file).unwrap().set_modified(written_at).unwrap();
}

#[tokio::test]
async fn the_list_has_every_blob_and_nothing_else() {
    let fixture = Fixture::new();
    let digest = fixture.put(b"12345").await;
    let file = fixture.file_of(&digest);
    set_written_at(&file, LONG_AGO + Duration::from_micros(1_500_000));
    let shard = file.parent().unwrap();
    fs::write(shard.join("notes.txt"), b"").unwrap();
    fs::write(file.with_file_name(format!("{}#1", &digest.to_string()[2..])), b"123").unwrap();
    fs::write(file.with_file_name(digest.to_string()[2..].to_uppercase()), b"12345").unwrap();
    fs::write(fixture.folder.path().join("sha256").join(digest.to_string()), b"12345").unwrap();

    let blobs = listed(&fixture.artifacts).await;

    assert_eq!(blobs.len(), 1);
    assert_eq!((blobs[0].digest, blobs[0].size_bytes), (digest, 5));
    assert_eq!(blobs[0].written_at, LONG_AGO + Duration::from_micros(1_500_000));
}

#[tokio::test]
async fn a_removed_blob_is_missing_and_may_be_removed_again() {
    let fixture = Fixture::new();
    for artifacts in [Artifacts::in_memory(), fixture.artifacts.clone()] {
        let digest = artifacts.put(Bytes::from_static(b"x")).await.unwrap();
        artifacts.remove(&digest).await.unwrap();
        assert!(!artifacts.contains(&digest).await.unwrap());
        artifacts.remove(&digest).await.unwrap();
    }
}

#[tokio::test]
async fn a_listed_blob_is_removed_and_may_be_removed_again() {
    let fixture = Fixture::new();
    for artifacts in [Artifacts::in_memory(), fixture.artifacts.clone()] {
        artifacts.put(Bytes::from_static(b"orphan")).await.unwrap();
        let blob = listed(&artifacts).await[0];

        assert_eq!(artifacts.remove_listed(&blob).await.unwrap(), Removal::Removed);
        assert!(!artifacts.contains(&blob.digest).await.unwrap());
        assert_eq!(artifacts.remove_listed(&blob).await.unwrap(), Removal::Removed);
    }
}

#[tokio::test]
async fn a_blob_that_was_put_again_after_it_was_listed_is_kept() {
    let fixture = Fixture::new();
    let digest = fixture.put(b"orphan").await;
    set_written_at(&fixture.file_of(&digest), LONG_AGO);
    let blob = listed(&fixture.artifacts).await[0];

    fixture.put(b"orphan").await;

    assert_eq!(fixture.artifacts.remove_listed(&blob).await.unwrap(), Removal::Kept);
    assert!(fixture.artifacts.get(&digest).await.is_ok());
}

#[tokio::test]
async fn a_blob_that_is_being_put_is_kept() {
    let fixture = Fixture::new();
    let digest = fixture.put(b"orphan").await;
    let blob = listed(&fixture.artifacts).await[0];
    let looked_at = File::open(fixture.file_of(&digest)).unwrap();
    looked_at.lock_shared().unwrap();

    assert_eq!(fixture.artifacts.remove_listed(&blob).await.unwrap(), Removal::Kept);

    drop(looked_at);
    assert_eq!(fixture.artifacts.remove_listed(&blob).await.unwrap(), Removal::Removed);
}

#[tokio::test]
async fn what_an_interrupted_put_left_is_no_blob_and_is_cleared_away_when_old() {
    let fixture = Fixture::new();
    let digest = Digest::of(b"interrupted");
    let left = fixture.file_of(&digest).with_file_name(format!("{}#1", &digest.to_string()[2..]));
    fs::create_dir_all(left.parent().unwrap()).unwrap();
    fs::write(&left, b"interr").unwrap();
    let written_at = fs::metadata(&left).unwrap().modified().unwrap();

    assert!(!fixture.artifacts.contains(&digest).await.unwrap());
    assert_eq!(fixture.put(b"interrupted").await, digest);
    assert_eq!(fixture.artifacts.remove_unfinished(written_at).await.unwrap(), 0);
    assert!(left.exists());

    let later = written_at + Duration::from_secs(1);
    assert_eq!(fixture.artifacts.remove_unfinished(later).await.unwrap(), 1);
    assert!(!left.exists());
    assert!(fixture.artifacts.get(&digest).await.is_ok());
}

#[tokio::test]
async fn a_store_without_a_folder_has_nothing_unfinished() {
    let fixture = Fixture::new();
    assert_eq!(fixture.artifacts.remove_unfinished(LONG_AGO).await.unwrap(), 0);
    assert_eq!(Artifacts::in_memory().remove_unfinished(LONG_AGO).await.unwrap(), 0);
}

/// Puts and sweeps of one blob at once: whenever a put has returned, and no later sweep has listed
/// the blob since, it is there.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_sweep_never_removes_what_a_put_has_just_found() {
    let fixture = Fixture::new();
    let bytes = Bytes::from_static(b"contended");
    for round in 0..100 {
        let digest = fixture.artifacts.put(bytes.clone()).await.unwrap();
        set_written_at(&fixture.file_of(&digest), LONG_AGO);
        let blob = listed(&fixture.artifacts).await[0];

        let (put, removal) = tokio::join!(
            fixture.artifacts.put(bytes.clone()),
            fixture.artifacts.remove_listed(&blob)
        );

        put.unwrap();
        let removal = removal.unwrap();
        assert!(fixture.artifacts.get(&digest).await.is_ok(), "round {round}: {removal:?}");
    }
}
