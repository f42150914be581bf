use bytes::Bytes;
use tempfile::TempDir;

use super::{listed, open};
use crate::{Artifacts, Error};

fn reason(url: &str) -> String {
    match Artifacts::open(url) {
        Err(error @ Error::BadUrl { .. }) => {
            assert_eq!((error.code(), error.is_transient()), ("usage", false));
            error.to_string()
        }
        other => panic!("{url} was not refused: {other:?}"),
    }
}

#[test]
fn an_unknown_scheme_is_refused_by_naming_those_that_work() {
    let reason = reason("s3://key:secret@bucket/prefix");
    assert!(reason.contains("`s3`") && reason.contains("file://") && reason.contains("memory://"));
    assert!(!reason.contains("secret"));
}

#[test]
fn an_address_that_would_surprise_is_refused() {
    for url in ["", "artifacts", "/abs", "file:/abs", "file://", "file://~/a", "memory://a"] {
        assert!(!reason(url).is_empty());
    }
}

#[tokio::test]
async fn opening_and_reading_create_nothing() {
    let parent = TempDir::new().unwrap();
    let artifacts = open(&parent.path().join("a/b"));

    assert!(listed(&artifacts).await.is_empty());
    assert!(!artifacts.contains(&koinon_domain::Digest::of(b"x")).await.unwrap());
    assert!(!parent.path().join("a").exists());

    let digest = artifacts.put(Bytes::from_static(b"x")).await.unwrap();
    assert!(artifacts.contains(&digest).await.unwrap());
    assert!(parent.path().join("a/b/sha256").is_dir());
}

#[tokio::test]
async fn a_relative_path_and_its_dots_are_resolved_where_it_is_opened() {
    let parent = TempDir::new().unwrap();
    let depth = std::env::current_dir().unwrap().components().count();
    let up = "../".repeat(depth);
    let below = parent.path().join("new/../other").display().to_string();
    let artifacts = Artifacts::open(&format!("file://{up}{}", &below[1..])).unwrap();

    artifacts.put(Bytes::from_static(b"x")).await.unwrap();

    assert!(parent.path().join("other/sha256").is_dir());
    assert!(!parent.path().join("new").exists());
}

#[tokio::test]
async fn a_folder_may_have_any_name() {
    let parent = TempDir::new().unwrap();
    let folder = parent.path().join("100% ü #1?x=%20");
    let artifacts = open(&folder);

    let digest = artifacts.put(Bytes::from_static(b"x")).await.unwrap();

    assert_eq!(&artifacts.get(&digest).await.unwrap()[..], b"x");
    assert_eq!(listed(&artifacts).await.len(), 1);
    assert!(folder.join("sha256").is_dir());
}

#[test]
fn a_regular_file_in_place_of_the_folder_is_refused() {
    let parent = TempDir::new().unwrap();
    let file = parent.path().join("file");
    std::fs::write(&file, b"").unwrap();

    assert!(reason(&format!("file://{}", file.display())).contains("not a folder"));
    assert!(reason(&format!("file://{}/below", file.display())).contains("not a folder"));
}

#[tokio::test]
async fn a_folder_that_cannot_be_written_is_unavailable() {
    let parent = TempDir::new().unwrap();
    let artifacts = open(parent.path());
    // A file where the folder of all blobs belongs: it stops the superuser as well.
    std::fs::write(parent.path().join("sha256"), b"").unwrap();

    let error = artifacts.put(Bytes::from_static(b"x")).await.unwrap_err();

    assert_eq!((error.code(), error.is_transient()), ("store_unavailable", true));
}
