//! The folder that results are written to.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use koinon::Koinon;
use koinon::domain::ErrorCode;
use koinon::store::{Artifact, Manifest};
use tempfile::Builder;

use crate::exit::Exit;
use crate::fault::Fault;

/// How the names of files begin that are still being written.
const UNFINISHED: &str = ".koinon-";

/// Makes the folder, opens a file without a name in it, and removes what a process left unfinished that was killed,
/// before anything is paid for.
///
/// It blocks for a moment, at start.
pub(crate) fn check(dir: &Path) -> Result<(), Fault> {
    let probe = std::fs::create_dir_all(dir)
        .and_then(|()| tempfile::tempfile_in(dir))
        .and_then(|_| remove_unfinished(dir));
    probe.map_err(|error| {
        not_writable(dir, &error).exit(Exit::Usage).help("choose another folder with --out")
    })
}

/// Writes the files of a job, each of them completely or not at all.
pub(crate) async fn write(koinon: &Koinon, manifest: &Manifest, dir: &Path) -> Result<(), Fault> {
    for artifact in &manifest.artifacts {
        let path = path_of(dir, artifact)?;
        let bytes = koinon.artifacts().get(&artifact.digest).await?;
        let written = tokio::task::spawn_blocking(move || write_file(&path, &bytes)).await;
        written
            .map_err(|error| Fault::new(ErrorCode::PERMANENT, error.to_string()))?
            .map_err(|error| not_writable(dir, &error))?;
    }
    Ok(())
}

/// A name that leads out of the folder is none that a workload of ours gives.
fn path_of(dir: &Path, artifact: &Artifact) -> Result<PathBuf, Fault> {
    let name = Path::new(&artifact.name);
    if name.file_name() == Some(name.as_os_str()) {
        return Ok(dir.join(name));
    }
    let summary = format!("{:?} is not the name of a file", artifact.name);
    Err(Fault::new(ErrorCode::STORE_CORRUPT, summary))
}

/// Removes the files that nobody is writing any more: whoever writes one has it locked.
fn remove_unfinished(dir: &Path) -> io::Result<()> {
    for entry in std::fs::read_dir(dir)? {
        let entry = entry?;
        let is_unfinished = entry.file_name().to_string_lossy().starts_with(UNFINISHED)
            && entry.file_type()?.is_file();
        if is_unfinished && File::open(entry.path()).is_ok_and(|file| file.try_lock().is_ok()) {
            // Another process may have done it.
            drop(std::fs::remove_file(entry.path()));
        }
    }
    Ok(())
}

fn write_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    match try_to_write(path, bytes) {
        // Another process came between the file and its lock, and took it for one that nobody writes.
        Err(error) if error.kind() == io::ErrorKind::NotFound => try_to_write(path, bytes),
        written => written,
    }
}

fn try_to_write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let dir = path.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(dir)?;
    let mut file = builder().tempfile_in(dir)?;
    // Where files cannot be locked nobody else can lock it either, so it stays.
    drop(file.as_file().try_lock());
    io::Write::write_all(&mut file, bytes)?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

/// Results are there to be read: they get the rights that any new file gets.
#[cfg(unix)]
fn builder() -> Builder<'static, 'static> {
    use std::os::unix::fs::PermissionsExt as _;

    let mut builder = Builder::new();
    builder.prefix(UNFINISHED).permissions(std::fs::Permissions::from_mode(0o666));
    builder
}

#[cfg(not(unix))]
fn builder() -> Builder<'static, 'static> {
    let mut builder = Builder::new();
    builder.prefix(UNFINISHED);
    builder
}

fn not_writable(dir: &Path, error: &io::Error) -> Fault {
    if matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded) {
        let summary = format!("no space is left for {}", dir.display());
        return Fault::new(ErrorCode::DISK_FULL, summary)
            .help("make some space, then run the same command again");
    }
    let summary = format!("{} cannot be written: {error}", dir.display());
    Fault::new(ErrorCode::OUTPUT_NOT_WRITABLE, summary)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_below_a_file_is_refused_and_a_new_one_is_made() {
        let base = tempfile::tempdir().unwrap();
        let file = base.path().join("file");
        std::fs::write(&file, "x").unwrap();
        for dir in [file.clone(), file.join("below")] {
            let fault = check(&dir).unwrap_err();
            assert_eq!((fault.code, fault.exit), (ErrorCode::OUTPUT_NOT_WRITABLE, Exit::Usage));
        }
        let fresh = base.path().join("a/b");
        assert_eq!(check(&fresh), Ok(()));
        assert_eq!(std::fs::read_dir(&fresh).unwrap().count(), 0);
    }

    #[test]
    fn what_a_killed_process_left_unfinished_is_removed_and_nothing_else() {
        let dir = tempfile::tempdir().unwrap();
        for name in [".koinon-left", ".koinon-live", ".koinon", "train.jsonl"] {
            std::fs::write(dir.path().join(name), "half a ro").unwrap();
        }
        std::fs::create_dir(dir.path().join(".koinon-folder")).unwrap();
        let live = File::open(dir.path().join(".koinon-live")).unwrap();
        live.try_lock().unwrap();

        assert_eq!(check(dir.path()), Ok(()));

        let names = std::fs::read_dir(dir.path()).unwrap().map(|entry| entry.unwrap().file_name());
        let mut names: Vec<_> = names.map(|name| name.into_string().unwrap()).collect();
        names.sort();
        assert_eq!(names, [".koinon", ".koinon-folder", ".koinon-live", "train.jsonl"]);
        drop(live);
    }

    #[test]
    fn a_name_that_leads_out_of_the_folder_is_refused() {
        let artifact = |name: &str| Artifact {
            name: name.to_owned(),
            media_type: String::new(),
            size_bytes: 0,
            digest: koinon::domain::Digest::of(b""),
        };
        assert!(path_of(Path::new("out"), &artifact("train.jsonl")).is_ok());
        for name in ["../x", "/x", "a/b", "..", ""] {
            assert!(path_of(Path::new("out"), &artifact(name)).is_err(), "{name}");
        }
    }
}
