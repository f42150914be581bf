//! One dataset job, from an empty database to its end.

use std::path::Path;
use std::sync::Arc;

use anyhow::ensure;
use koinon::domain::{Kind, ProjectId, State};
use koinon::workloads::dataset::{Dataset, Order, prepare};
use koinon::{Koinon, Settings, Sources, Submit};

use crate::instant::{Instant, NAME};

/// When the provider was called.
pub(crate) struct Calls(Vec<(f64, f64)>);

impl Calls {
    /// The time between an answer and the next call, in microseconds: settle one item, reserve the next.
    pub(crate) fn between_calls(&self) -> Vec<f64> {
        self.0.windows(2).map(|pair| pair[1].0 - pair[0].1).collect()
    }

    /// Items in a second, from the first call to the last answer.
    pub(crate) fn items_per_s(&self) -> f64 {
        match (self.0.first(), self.0.last()) {
            (Some((first, _)), Some((_, last))) if last > first => {
                f64::from(u32::try_from(self.0.len()).unwrap_or(u32::MAX)) * 1e6 / (last - first)
            }
            _ => 0.0,
        }
    }
}

/// Runs a dataset job over the documents, with so many items at once.
pub(crate) async fn run(
    folder: &Path,
    documents: &Path,
    concurrency: usize,
) -> anyhow::Result<Calls> {
    let folder = folder.join(format!("job-{concurrency}"));
    let mut settings = Settings::default();
    settings.database.url = format!("sqlite://{}/koinon.db", folder.display());
    settings.artifacts.url = format!("file://{}/artifacts", folder.display());
    let provider = Arc::new(Instant::new());
    let koinon = Koinon::builder(settings)
        .workload(Dataset)
        .provider(Arc::<Instant>::clone(&provider))
        .open()
        .await?;
    let order = Order {
        inputs: vec![documents.display().to_string()],
        exclude: Vec::new(),
        set: vec![("concurrency".to_owned(), concurrency.to_string())],
        provider: NAME.to_owned(),
        model: "copy".to_owned(),
    };
    let prepared = prepare(order, koinon.artifacts()).await?;
    let kind = Kind::try_new("dataset")?;
    let project = ProjectId::try_new("bench")?;
    let sources = Sources::List(&prepared.sources);
    let identity = koinon::identity(&kind, &project, &prepared.configuration, sources);
    let submit = Submit::new(kind, project, identity, prepared.payload);
    let status = koinon.run(submit).await?;
    koinon.close().await;
    ensure!(status.run.state == State::Succeeded, "the job ended {}", status.run.state);
    let micros = |at: std::time::Duration| at.as_secs_f64() * 1e6;
    Ok(Calls(provider.calls().into_iter().map(|(a, b)| (micros(a), micros(b))).collect()))
}
