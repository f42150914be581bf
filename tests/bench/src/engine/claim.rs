//! How long a claim takes, by what lies beside the jobs that are ready.

mod beside;

use std::time::Duration;

use anyhow::ensure;
use futures::future::try_join_all;
use koinon::store::{ClaimRequest, Clock as _, LeaseStore as _, SystemClock};
use koinon_store_postgres::{Options, PostgresStore, Time};

use super::report::{Report, Round};
use super::rows;
use super::server::{Disk, Server};
use super::size::Size;
use super::subject;
use beside::Beside;

/// The rows, and what each is measured with; the first is what the others are compared with.
pub(super) const ROWS: [&str; 4] =
    ["claim_ready_1k", "claim_ready_100k", "claim_ready_1m", "claim_beside"];

/// So many claims are made before the first one counts.
const WARM_UP: usize = 10;

/// A database with jobs that are ready, and a store on it.
struct Queue {
    store: PostgresStore,
    request: ClaimRequest,
    beside: Beside,
}

/// Measures the rows that are asked for. Each database stays the same but for the jobs that are claimed from
/// it; they are asked in turn.
pub(super) async fn measure(
    server: &Server,
    size: Size,
    wanted: impl Fn(&str) -> bool,
) -> anyhow::Result<Vec<Report>> {
    let needed = |row: &str| row == ROWS[0] || wanted(row);
    let rows = ROWS.into_iter().zip(Beside::all(size)).filter(|(row, _)| needed(row));
    let (mut rows, fills): (Vec<_>, Vec<_>) =
        rows.map(|(row, beside)| ((row, Vec::new()), Queue::open(server, beside))).unzip();
    let queues = try_join_all(fills).await?;
    for _ in 0..size.rounds() {
        let mut base = None;
        for (queue, (_, rounds)) in queues.iter().zip(&mut rows) {
            let value = queue.median_ms(size.claims()).await?;
            rounds.push(Round { value, base });
            base = base.or(Some(value));
        }
    }
    for queue in queues {
        queue.store.close().await;
        queue.beside.end().await?;
    }
    let rows = rows.into_iter().filter(|(row, _)| wanted(row));
    Ok(rows.map(|(row, rounds)| Report::of(row, rounds, None)).collect())
}

impl Queue {
    async fn open(server: &Server, beside: beside::Rows) -> anyhow::Result<Self> {
        let scratch = server.create(Disk::AsItIs).await?;
        let settings = subject::prepare(&scratch).await?;
        let koinon = subject::open(&settings).await?;
        let store = PostgresStore::open(&scratch.url, Options::default(), Time::Database).await?;
        let request = rows::request(Duration::from_mins(1))?;
        let beside = Beside::fill(&scratch, beside, &koinon, &store, &request).await?;
        koinon.close().await;
        let queue = Self { store, request, beside };
        queue.median_ms(WARM_UP).await?;
        Ok(queue)
    }

    /// The median of so many claims of one job each, in milliseconds.
    async fn median_ms(&self, claims: usize) -> anyhow::Result<f64> {
        let clock = SystemClock::new();
        let mut times = Vec::with_capacity(claims);
        for _ in 0..claims {
            let began = clock.monotonic();
            let claimed = self.store.claim(&self.request).await?;
            times.push((clock.monotonic() - began).as_secs_f64() * 1e3);
            ensure!(claimed.len() == 1, "a claim of one job answered {}", claimed.len());
        }
        Ok(crate::percentile(&mut times, 50))
    }
}
