//! A stage that runs item by item.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use futures::StreamExt as _;
use futures::stream::FuturesUnordered;
use koinon_domain::{ItemKey, StageName};
use koinon_store::Checkpoint;
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::sync::Semaphore;

use super::results::Results;
use super::{Stage, StageScope, input_digest};
use crate::committer::{Part, Place};
use crate::context::Running;
use crate::{Failure, JobError};

impl Stage<'_> {
    /// Runs the stage item by item, several at once, and returns the results in the order of the items.
    /// An item whose result for the same input is stored does not run.
    ///
    /// When an item fails, no new one starts; those under way finish and are stored.
    ///
    /// # Errors
    ///
    /// A reason to stop, what the gravest item failed with, or a failure of the store.
    pub async fn each<I, T, F, R>(
        self,
        items: Vec<(ItemKey, I)>,
        work: F,
    ) -> Result<Vec<T>, JobError>
    where
        I: Serialize,
        T: Serialize + DeserializeOwned,
        F: Fn(StageScope, I) -> R,
        R: Future<Output = Result<T, JobError>>,
    {
        let running = &self.job.0;
        running.held.check()?;
        let stage = self.declared()?;
        let total = items.len();
        let mut results = Results::read(running, &stage, self.version).await?;
        let mut values: Vec<Option<T>> = Vec::with_capacity(total);
        let mut waiting = Vec::new();
        for (at, (key, item)) in items.into_iter().enumerate() {
            let input = input_digest(&item)?;
            let found = results.find(running, Some(&key), input, self.on_changed).await?;
            values.push(match found {
                Some(stored) => {
                    let bytes = crate::stored::fetch(&running.services.artifacts, stored).await?;
                    Some(crate::stored::from_json(&bytes)?)
                }
                None => {
                    waiting.push((at, key.clone(), results.key(Some(key), input), item));
                    None
                }
            });
        }
        let known = results.known_calls(running).await?;
        let scope = StageScope::new(self.job, stage.clone(), known);
        let done = AtomicUsize::new(total - waiting.len());
        let one = |(at, key, checkpoint, item)| {
            let scope = scope.of_item(key);
            let (work, done, this, stage) = (&work, &done, &self, &stage);
            async move |_place: Place| {
                let value = within(running.config.stage_for, stage, work(scope, item)).await?;
                let bytes = crate::stored::to_json(&value)?;
                let result = crate::stored::store(&running.services.artifacts, bytes).await?;
                let done = done.fetch_add(1, Ordering::Relaxed) + 1;
                let part = Part {
                    checkpoint: Some(Checkpoint { key: checkpoint, result }),
                    progress: Some(this.progress(stage, done, total)),
                    ..Part::default()
                };
                running.committer.write(part).await?;
                Ok((at, value))
            }
        };
        run_all(running, self.concurrency, waiting.into_iter().map(one), |(at, value)| {
            values[at] = Some(value);
        })
        .await?;
        Ok(values.into_iter().flatten().collect())
    }
}

/// Runs the items, so many at once, and hands each value on. An item has its place until it gives it up or
/// ends. After the first error, or a reason to stop, none is started; those under way are waited for. Returns
/// the gravest error.
pub(super) async fn run_all<V, R>(
    running: &Running,
    concurrency: usize,
    items: impl Iterator<Item = impl FnOnce(Place) -> R>,
    mut take: impl FnMut(V),
) -> Result<(), JobError>
where
    R: Future<Output = Result<V, JobError>>,
{
    let places = Arc::new(Semaphore::new(concurrency.min(Semaphore::MAX_PERMITS)));
    let mut waiting = items.peekable();
    let mut under_way = FuturesUnordered::new();
    let mut gravest: Option<JobError> = None;
    loop {
        let goes_on = gravest.is_none() && waiting.peek().is_some();
        let error = tokio::select! {
            // What ends, or gives its place up, comes before what waits for a place.
            biased;
            Some(done) = under_way.next() => match done {
                Ok(value) => {
                    take(value);
                    continue;
                }
                Err(error) => error,
            },
            Ok(place) = Arc::clone(&places).acquire_owned(), if goes_on => {
                match running.held.check() {
                    Ok(()) => {
                        under_way.extend(waiting.next().map(|item| item(place)));
                        continue;
                    }
                    Err(halt) => halt.into(),
                }
            }
            else => return gravest.map_or(Ok(()), Err),
        };
        gravest = Some(match gravest {
            None => error,
            Some(present) => present.worse(error),
        });
    }
}

pub(super) async fn within<T>(
    deadline: Option<Duration>,
    stage: &StageName,
    work: impl Future<Output = Result<T, JobError>>,
) -> Result<T, JobError> {
    match deadline {
        None => work.await,
        Some(deadline) => tokio::time::timeout(deadline, work)
            .await
            .map_err(|_| Failure::stage_timeout(stage, deadline))?,
    }
}
