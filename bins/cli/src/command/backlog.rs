//! `koinon backlog`: what waits and runs in the queues.

use koinon::domain::QueueName;
use koinon::store::{COUNT_MAX, QueueBacklog};
use koinon::{Availability, BacklogSnapshot, DatasourceBacklog, QueueDemand, WorkerBacklog};
use serde::Serialize;

use super::Context;
use crate::exit::Exit;
use crate::fault::Fault;
use crate::instant;
use crate::kinds;
use crate::open::Open;
use crate::view;

#[derive(Serialize)]
struct BacklogView {
    process_capacity: u32,
    datasources: Vec<DatasourceView>,
}

#[derive(Serialize)]
struct DatasourceView {
    name: &'static str,
    /// `available` or `unavailable`.
    state: &'static str,
    error_code: Option<String>,
    /// Null if the datasource is unavailable: nothing is known of its queues then.
    queues: Option<Vec<QueueView>>,
}

/// The counts stop at 10 001, which means more than 10 000.
#[derive(Serialize)]
struct QueueView {
    queue: String,
    ready: u32,
    active: u32,
    retry: u32,
    deferred: u32,
    paused: u32,
    blocked: u32,
    set_aside: u32,
    /// Since when the queue is paused, if it is; what would be ready is counted as paused then.
    paused_at: Option<String>,
    oldest_ready_age_ms: Option<u64>,
    per_replica_capacity: u32,
}

pub(crate) async fn backlog(context: &Context) -> Result<Exit, Fault> {
    let settings = Open::new(context).load()?.settings;
    let queues: Vec<QueueName> = kinds::queues()?;
    let backlog = WorkerBacklog::open(settings, queues)?;
    let snapshot = backlog.snapshot().await;
    backlog.close().await;
    let snapshot = snapshot?;
    let is_complete = snapshot.is_complete();
    context.console.show(&BacklogView::of(snapshot), text)?;
    Ok(if is_complete { Exit::Succeeded } else { Exit::Failed })
}

impl BacklogView {
    fn of(snapshot: BacklogSnapshot) -> Self {
        let BacklogSnapshot { process_capacity, datasources } = snapshot;
        let datasources = datasources.into_iter().map(DatasourceView::of).collect();
        Self { process_capacity, datasources }
    }
}

impl DatasourceView {
    fn of(datasource: DatasourceBacklog) -> Self {
        let DatasourceBacklog { datasource, queues } = datasource;
        let name = datasource.name();
        match queues {
            Availability::Available(queues) => {
                let queues = queues.into_iter().map(QueueView::of).collect();
                Self { name, state: "available", error_code: None, queues: Some(queues) }
            }
            Availability::Unavailable { code } => Self {
                name,
                state: "unavailable",
                error_code: Some(code.to_string()),
                queues: None,
            },
        }
    }
}

impl QueueView {
    fn of(demand: QueueDemand) -> Self {
        let QueueDemand { backlog, per_replica_capacity } = demand;
        let QueueBacklog {
            queue,
            ready,
            active,
            retry,
            deferred,
            paused,
            blocked,
            set_aside,
            paused_at,
            oldest_ready_age,
        } = backlog;
        let millis = |age: std::time::Duration| u64::try_from(age.as_millis()).unwrap_or(u64::MAX);
        Self {
            queue: queue.to_string(),
            ready,
            active,
            retry,
            deferred,
            paused,
            blocked,
            set_aside,
            paused_at: paused_at.map(instant::exact),
            oldest_ready_age_ms: oldest_ready_age.map(millis),
            per_replica_capacity,
        }
    }

    fn row(&self) -> [String; 10] {
        let age = self.oldest_ready_age_ms.map(|age| format!("{} s", age / 1_000));
        [
            self.queue.clone(),
            shown(self.ready),
            shown(self.active),
            shown(self.retry),
            shown(self.deferred),
            shown(self.paused),
            shown(self.blocked),
            shown(self.set_aside),
            age.unwrap_or_default(),
            self.paused_at.as_ref().map(|_| "paused".to_owned()).unwrap_or_default(),
        ]
    }
}

/// A count as people read it.
fn shown(count: u32) -> String {
    if count >= COUNT_MAX { "over 10000".to_owned() } else { count.to_string() }
}

fn text(view: &BacklogView) -> String {
    let noun = if view.process_capacity == 1 { "job" } else { "jobs" };
    let mut text = format!("one worker process runs {} {noun} at once\n", view.process_capacity);
    for datasource in &view.datasources {
        match &datasource.queues {
            Some(queues) => {
                let header = [
                    "name",
                    "ready",
                    "active",
                    "retry",
                    "deferred",
                    "paused",
                    "blocked",
                    "set aside",
                    "oldest ready",
                    "queue",
                ];
                text.push_str(&view::table(header, queues.iter().map(QueueView::row)));
            }
            None => {
                let code = datasource.error_code.as_deref().unwrap_or_default();
                text.push_str(&format!("{} is unavailable: {code}\n", datasource.name));
            }
        }
    }
    text
}
