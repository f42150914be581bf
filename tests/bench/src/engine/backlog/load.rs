//! Workers that claim and finish jobs for as long as is looked.

use anyhow::ensure;
use koinon::domain::QueueName;
use koinon::prelude::{Until, Worker};
use koinon::store::Error;
use koinon::{Koinon, Settings};
use tokio::task::JoinSet;

use crate::engine::rows::QUEUE;
use crate::engine::subject::{self, CAPACITY};

/// How many workers there are.
const WORKERS: u32 = 2;

/// More jobs are never held at once: as many as there are permits, and as many again that take their turns over
/// (ADR 33).
pub(super) const MOST_ACTIVE: u32 = 2 * WORKERS * CAPACITY;

/// Workers, each with a pool of its own as if it were a process.
pub(super) struct Load {
    workers: Vec<(Koinon, Worker)>,
    dispatching: JoinSet<Result<(), Error>>,
}

impl Load {
    pub(super) async fn start(settings: &Settings) -> anyhow::Result<Self> {
        let (mut workers, mut dispatching) = (Vec::new(), JoinSet::new());
        for _ in 0..WORKERS {
            let koinon = subject::open(settings).await?;
            let worker = koinon.worker(vec![QueueName::try_new(QUEUE)?]);
            let dispatcher = worker.clone();
            dispatching.spawn(async move { dispatcher.dispatch(Until::Stopped).await });
            workers.push((koinon, worker));
        }
        Ok(Self { workers, dispatching })
    }

    /// Lets them hand back what they hold.
    pub(super) async fn end(mut self) -> anyhow::Result<()> {
        let mut trouble = Vec::new();
        for (koinon, worker) in self.workers {
            worker.drain().await;
            trouble.extend(worker.trouble());
            koinon.close().await;
        }
        while let Some(ended) = self.dispatching.join_next().await {
            ended??;
        }
        ensure!(trouble.is_empty(), "the workers say {trouble:?}");
        Ok(())
    }
}
