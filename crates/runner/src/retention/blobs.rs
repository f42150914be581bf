//! Blobs that no row names.

use std::collections::HashSet;
use std::time::{Duration, SystemTime};

use futures::TryStreamExt as _;
use koinon_artifacts::{Blob, Removal};
use koinon_domain::{Digest, JobId};
use koinon_store::NamesAfter;
use tokio_util::sync::CancellationToken;

use super::{ROWS_MAX, Sweep, SweepError, Swept};
use crate::Services;

impl Services {
    /// Sweeps blobs that were written longer than `orphans_for` before now, and before the earliest claim that
    /// is held, and that no row names but those of jobs that would be gone.
    ///
    /// Where rows of another database may name blobs of the same store, none is swept.
    ///
    /// The blobs are listed first, then the rows are read. A row that names one of them and is written after
    /// that was written by somebody who put the blob again, and so it is no longer as it was listed, and stays;
    /// or it is a copy of a row that was there when its table was read.
    pub(super) async fn sweep_blobs(
        &self,
        sweep: Sweep,
        orphans_for: Duration,
        gone: &HashSet<JobId>,
        stop: &CancellationToken,
        swept: &mut Swept,
    ) -> Result<(), SweepError> {
        let own = self.retention.database_id().await?;
        let others = self.artifacts.databases().await?.into_iter().filter(|one| *one != own);
        swept.other_databases = u64::try_from(others.count()).unwrap_or(u64::MAX);
        if swept.other_databases > 0 {
            return Ok(());
        }
        // What a held job has stored is younger than its claim, however long its stage takes.
        let held_since = self.retention.held_since().await?.min(self.clock.now());
        let held_since = u64::try_from(held_since.as_micros()).unwrap_or_default();
        let held_since = SystemTime::UNIX_EPOCH + Duration::from_micros(held_since);
        let written_before = held_since.checked_sub(orphans_for).unwrap_or(SystemTime::UNIX_EPOCH);
        let listed = self.artifacts.blobs().await;
        let is_old = move |blob: &Blob| std::future::ready(blob.written_at < written_before);
        let old: Vec<Blob> = listed.try_filter(is_old).try_collect().await?;
        let Some(named) = self.named(gone, stop).await? else { return Ok(()) };
        for blob in old.iter().filter(|blob| !named.contains(&blob.digest)) {
            if stop.is_cancelled() {
                return Ok(());
            }
            let goes = match sweep {
                Sweep::DryRun => true,
                Sweep::Remove => self.artifacts.remove_listed(blob).await? == Removal::Removed,
            };
            if goes {
                swept.blobs += 1;
                swept.blob_bytes = swept.blob_bytes.saturating_add(blob.size_bytes);
            }
        }
        if sweep == Sweep::Remove {
            swept.unfinished = self.artifacts.remove_unfinished(written_before).await?;
        }
        Ok(())
    }

    /// Every name of a blob that stands in a row; `None` if it was stopped.
    async fn named(
        &self,
        gone: &HashSet<JobId>,
        stop: &CancellationToken,
    ) -> Result<Option<HashSet<Digest>>, SweepError> {
        let (mut named, mut after) = (HashSet::new(), Some(NamesAfter::FIRST));
        while let Some(from) = after {
            if stop.is_cancelled() {
                return Ok(None);
            }
            let since = self.clock.monotonic();
            let page = self.retention.blob_names(&from, ROWS_MAX).await?;
            let stays =
                |(job, _): &(Option<JobId>, Digest)| job.is_none_or(|job| !gone.contains(&job));
            named.extend(page.names.into_iter().filter(stays).map(|(_, name)| name));
            after = page.next;
            self.rest(since).await;
        }
        Ok(Some(named))
    }
}
