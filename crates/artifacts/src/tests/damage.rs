use std::fs;

use super::Fixture;
use crate::Error;

#[tokio::test]
async fn a_damaged_blob_is_never_returned_and_a_put_replaces_it() {
    let fixture = Fixture::new();
    let digest = fixture.put(b"the bytes").await;
    // Cut short, emptied, longer, and of the right length with one bit turned.
    for damage in [&b"the byt"[..], b"", b"the bytes.", b"the bytec"] {
        fs::write(fixture.file_of(&digest), damage).unwrap();

        let error = fixture.artifacts.get(&digest).await.unwrap_err();
        assert!(matches!(error, Error::Damaged { digest: damaged } if damaged == digest));
        assert_eq!((error.code(), error.is_transient()), ("artifact_damaged", false));

        fixture.put(b"the bytes").await;
        assert_eq!(&fixture.artifacts.get(&digest).await.unwrap()[..], b"the bytes");
    }
}

#[cfg(unix)]
#[tokio::test]
async fn a_link_in_place_of_a_blob_is_replaced_and_its_target_left_alone() {
    let fixture = Fixture::new();
    let digest = fixture.put(b"the bytes").await;
    let file = fixture.file_of(&digest);
    let target = fixture.folder.path().join("elsewhere");
    for content in [&b"the bytes"[..], b"private"] {
        fs::write(&target, content).unwrap();
        fs::remove_file(&file).unwrap();
        std::os::unix::fs::symlink(&target, &file).unwrap();

        fixture.put(b"the bytes").await;

        assert!(fs::symlink_metadata(&file).unwrap().is_file());
        assert_eq!(fs::read(&target).unwrap(), content);
    }
}

#[tokio::test]
async fn a_folder_in_place_of_a_blob_is_no_blob() {
    let fixture = Fixture::new();
    let digest = fixture.put(b"the bytes").await;
    let file = fixture.file_of(&digest);
    fs::remove_file(&file).unwrap();
    fs::create_dir(&file).unwrap();

    let read = fixture.artifacts.get(&digest).await;
    assert!(matches!(read, Err(Error::Missing { .. })));
    let error = fixture.artifacts.put(b"the bytes"[..].into()).await.unwrap_err();
    assert_eq!(error.code(), "store_unavailable");
}
