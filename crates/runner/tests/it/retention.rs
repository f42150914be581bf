//! Blobs are swept only where every database beside the worker's own says which it names.

use std::fs::{self, File};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use koinon_artifacts::Artifacts;
use koinon_kit::{Fault, FaultStore, ModelStore, PausedClock, Stores, Verb};
use koinon_runner::{Beside, Sweep, Swept};
use koinon_store::Retention;
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;

use crate::bench::{Asks, Bench};

/// A worker's services with another database beside them, and a blob as old as can be.
struct Place {
    bench: Bench,
    beside: Arc<FaultStore>,
    file: PathBuf,
    _folder: TempDir,
}

impl Place {
    async fn new() -> Self {
        let mut bench = Bench::new(Asks::new(1, 1));
        let clock = Arc::<PausedClock>::clone(&bench.clock);
        let beside = Arc::new(FaultStore::new(Stores::of(Arc::new(ModelStore::new(clock)))));
        let stores = Stores::of(Arc::clone(&beside));
        bench.services.beside =
            vec![Beside { name: "elsewhere".to_owned(), retention: stores.retention }];
        let orphans_for = Some(Duration::from_hours(1));
        bench.services.keep = Arc::new(Retention { orphans_for, ..Retention::default() });
        let folder = tempfile::tempdir().unwrap();
        bench.services.artifacts =
            Artifacts::open(&format!("file://{}", folder.path().display())).unwrap();
        let blob = bench.services.artifacts.put("bytes".into()).await.unwrap().to_string();
        let file = folder.path().join("sha256").join(&blob[..2]).join(&blob[2..]);
        File::options()
            .write(true)
            .open(&file)
            .unwrap()
            .set_modified(SystemTime::UNIX_EPOCH)
            .unwrap();
        Self { bench, beside, file, _folder: folder }
    }

    async fn sweep(&self) -> Swept {
        let mut swept = Swept::default();
        let stop = CancellationToken::new();
        self.bench.services.sweep_blobs(Sweep::Remove, &stop, &mut swept).await.unwrap();
        swept
    }

    fn has_blob(&self) -> bool {
        fs::exists(&self.file).unwrap()
    }
}

#[tokio::test(start_paused = true)]
async fn while_a_database_beside_it_does_not_answer_no_blob_goes() {
    let place = Place::new().await;
    place.beside.fail_every(Verb::DatabaseId, 1, Fault::Before);
    let swept = place.sweep().await;
    assert_eq!((swept.blobs, swept.unavailable), (0, vec!["elsewhere".to_owned()]));
    assert!(place.has_blob());
    place.beside.heal();
    assert_eq!(place.sweep().await.blobs, 1);
    assert!(!place.has_blob());
}
