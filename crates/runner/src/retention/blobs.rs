//! Blobs that no row names.

use std::collections::{BTreeMap, HashSet};
use std::time::{Duration, SystemTime};

use futures::TryStreamExt as _;
use koinon_artifacts::{Blob, Removal};
use koinon_domain::{DatabaseId, Digest};
use koinon_store::{Error, NamesAfter, RetentionStore};
use tokio_util::sync::CancellationToken;

use super::{ROWS_MAX, Sweep, SweepError, Swept};
use crate::Services;

/// The name of the turn.
const TURN: &str = "blobs";

/// The databases whose rows are asked, each once, whatever names it has.
type Databases<'s> = BTreeMap<DatabaseId, &'s dyn RetentionStore>;

impl Services {
    /// Removes, or counts, blobs that were written longer than [`Retention::orphans_for`] before now, and before
    /// the earliest claim that is held, and that no row of this database and of those [beside](Services::beside)
    /// it names, but those of jobs that would be gone. It ends where `stop` is cancelled.
    ///
    /// Where one of the databases does not answer, or rows of yet another may name blobs of the same store, none
    /// is swept, and `swept` says so.
    ///
    /// The blobs are listed first, then the rows are read. A row that names one of them and is written after
    /// that was written by somebody who put the blob again, and so it is no longer as it was listed, and stays;
    /// or it is a copy of a row that was there when its table was read.
    ///
    /// # Errors
    ///
    /// [`SweepError`]; the next sweep begins anew.
    ///
    /// # Cancel safety
    ///
    /// What was removed is gone.
    ///
    /// [`Retention::orphans_for`]: koinon_store::Retention::orphans_for
    pub async fn sweep_blobs(
        &self,
        sweep: Sweep,
        stop: &CancellationToken,
        swept: &mut Swept,
    ) -> Result<(), SweepError> {
        let Some(orphans_for) = self.keep.orphans_for.filter(|_| !stop.is_cancelled()) else {
            return Ok(());
        };
        let databases = self.databases(swept).await?;
        let noted = self.artifacts.databases().await?;
        let others = noted.iter().filter(|one| !databases.contains_key(one)).count();
        swept.other_databases = u64::try_from(others).unwrap_or(u64::MAX);
        if swept.other_databases > 0 || !swept.unavailable.is_empty() {
            return Ok(());
        }
        let written_before = self.written_before(&databases, orphans_for).await?;
        let listed = self.artifacts.blobs().await;
        let is_old = move |blob: &Blob| std::future::ready(blob.written_at < written_before);
        let old: Vec<Blob> = listed.try_filter(is_old).try_collect().await?;
        let mut named = HashSet::new();
        for database in databases.values() {
            self.read_names(*database, &mut named, stop, swept).await?;
        }
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
        if sweep == Sweep::Remove && !stop.is_cancelled() {
            swept.unfinished = self.artifacts.remove_unfinished(written_before).await?;
        }
        Ok(())
    }

    /// Whether it is the caller's turn to sweep blobs. The workers of all databases ask the same of these, the
    /// one with the smallest id. Where one does not answer it is nobody's turn, and `swept` says so.
    pub(crate) async fn is_turn_for_blobs(
        &self,
        every: Duration,
        swept: &mut Swept,
    ) -> Result<bool, SweepError> {
        if self.keep.orphans_for.is_none() {
            return Ok(false);
        }
        let databases = self.databases(swept).await?;
        match databases.first_key_value() {
            Some((_, first)) if swept.unavailable.is_empty() => {
                Ok(first.take_turn(TURN, every).await?)
            }
            _ => Ok(false),
        }
    }

    /// This database and those beside it that answer.
    async fn databases(&self, swept: &mut Swept) -> Result<Databases<'_>, Error> {
        let mut databases = Databases::new();
        databases.insert(self.retention.database_id().await?, &*self.retention);
        for beside in &self.beside {
            match beside.retention.database_id().await {
                Ok(id) => {
                    databases.entry(id).or_insert(&*beside.retention);
                }
                Err(error) if error.is_transient() => {
                    let name = &beside.name;
                    tracing::debug!(name, %error, "a database cannot be asked which blobs it names");
                    swept.note_unavailable(name);
                }
                Err(error) => return Err(error),
            }
        }
        Ok(databases)
    }

    /// Blobs that were written after this stay. What a held job has stored is younger than its claim, however
    /// long its stage takes.
    async fn written_before(
        &self,
        databases: &Databases<'_>,
        orphans_for: Duration,
    ) -> Result<SystemTime, Error> {
        let mut held_since = self.clock.now();
        for database in databases.values() {
            held_since = held_since.min(database.held_since().await?);
        }
        let held_since = u64::try_from(held_since.as_micros()).unwrap_or_default();
        let held_since = SystemTime::UNIX_EPOCH + Duration::from_micros(held_since);
        Ok(held_since.checked_sub(orphans_for).unwrap_or(SystemTime::UNIX_EPOCH))
    }

    /// Every name of a blob that stands in a row of the database; not all of them if it was stopped.
    async fn read_names(
        &self,
        database: &dyn RetentionStore,
        named: &mut HashSet<Digest>,
        stop: &CancellationToken,
        swept: &Swept,
    ) -> Result<(), Error> {
        let mut after = Some(NamesAfter::FIRST);
        while let Some(from) = after
            && !stop.is_cancelled()
        {
            let since = self.clock.monotonic();
            let page = database.blob_names(&from, ROWS_MAX).await?;
            let names = page.names.into_iter();
            let stays = names.filter(|(job, _)| job.is_none_or(|job| !swept.gone.contains(&job)));
            named.extend(stays.map(|(_, name)| name));
            after = page.next;
            self.rest(since).await;
        }
        Ok(())
    }
}

impl Swept {
    /// Notes a database that could not be asked.
    pub fn note_unavailable(&mut self, name: &str) {
        if !self.unavailable.iter().any(|noted| noted == name) {
            self.unavailable.push(name.to_owned());
        }
    }
}
