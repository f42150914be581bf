//! The floors: what each benchmark has to reach, and what it aims at.
//!
//! `cargo xtask tidy` compares the floors with what is promised.

/// What must hold for a row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Floor {
    /// The row is there to be compared with; nothing is promised.
    None,
    /// The value itself is at most this.
    ValueAtMost(f64),
    /// The ratio to what it is measured against is at most this.
    RatioAtMost(f64),
    /// The ratio to what it is measured against is at least this.
    RatioAtLeast(f64),
}

/// One thing that a benchmark measures.
#[derive(Debug, Clone, PartialEq)]
pub struct Measure {
    /// The name of the row.
    pub bench: &'static str,
    /// The unit of its value.
    pub unit: &'static str,
    /// What its ratio is to, measured in the same run.
    pub against: Option<&'static str>,
    /// What must hold.
    pub floor: Floor,
    /// What would be good, in the same terms as the floor.
    pub aim: Option<f64>,
}

/// The rows of the benchmark of the dataset workload.
pub const DATASET: [Measure; 7] = [
    // Engine time for each item, the model left aside.
    Measure {
        bench: "overhead_p50",
        unit: "ms",
        against: Some("two bare durable commits"),
        floor: Floor::RatioAtMost(3.0),
        aim: Some(2.0),
    },
    Measure {
        bench: "overhead_p99",
        unit: "ms",
        against: Some("two bare durable commits"),
        floor: Floor::RatioAtMost(6.0),
        aim: Some(4.0),
    },
    // Throughput by concurrency, with a provider that answers at once.
    Measure {
        bench: "items_per_s_1",
        unit: "items/s",
        against: None,
        floor: Floor::None,
        aim: None,
    },
    Measure {
        bench: "items_per_s_4",
        unit: "items/s",
        against: Some("items_per_s_1"),
        floor: Floor::None,
        aim: None,
    },
    Measure {
        bench: "items_per_s_16",
        unit: "items/s",
        against: Some("items_per_s_1"),
        floor: Floor::RatioAtLeast(3.0),
        aim: Some(6.0),
    },
    // A job of 2 000 items.
    Measure {
        bench: "peak_rss",
        unit: "MB",
        against: None,
        floor: Floor::ValueAtMost(100.0),
        aim: Some(60.0),
    },
    // From the start of the program to its first work, on a file that is there already.
    Measure {
        bench: "startup",
        unit: "ms",
        against: None,
        floor: Floor::ValueAtMost(50.0),
        aim: Some(25.0),
    },
];

/// A row of the benchmark of the engine, in jobs or calls a second.
const fn at_least(
    bench: &'static str,
    unit: &'static str,
    against: &'static str,
    floor: f64,
    aim: f64,
) -> Measure {
    let floor = Floor::RatioAtLeast(floor);
    Measure { bench, unit, against: Some(against), floor, aim: Some(aim) }
}

const INSERT: &str = "insert, 16 clients";
const CLAIM2: &str = "claim2, 16 clients";
const WF5: &str = "wf5, 16 clients";
const PAID: &str = "reserve and settle, 16 clients";

/// A row of the benchmark of the engine that tells how long a claim takes.
const fn claim(bench: &'static str, floor: Floor, aim: Option<f64>) -> Measure {
    Measure { bench, unit: "ms", against: Some("claim_ready_1k"), floor, aim }
}

/// The rows of the benchmark of the engine: bare statements do the same work beside it.
pub const ENGINE: [Measure; 13] = [
    // Taking jobs in: 16 callers, one job a call, and a thousand.
    at_least("submit_one", "jobs/s", INSERT, 0.6, 0.9),
    at_least("submit_1000", "jobs/s", INSERT, 4.0, 8.0),
    // Running jobs, 64 at once: nothing to do, three checkpointed stages, paid calls.
    at_least("noop", "jobs/s", CLAIM2, 2.0, 5.0),
    at_least("stages", "jobs/s", WF5, 0.7, 1.5),
    at_least("paid", "calls/s", PAID, 0.7, 1.2),
    // The same where a commit costs 2.3 ms.
    at_least("noop_slow_commit", "jobs/s", CLAIM2, 1.5, 2.5),
    at_least("stages_slow_commit", "jobs/s", WF5, 2.0, 3.0),
    at_least("paid_slow_commit", "calls/s", PAID, 2.0, 3.0),
    // A claim of one job, by how many are ready; and beside rows that have ended, that wait for another day, and
    // that are dead but kept by a long transaction.
    Measure { bench: "claim_ready_1k", unit: "ms", against: None, floor: Floor::None, aim: None },
    claim("claim_ready_100k", Floor::None, None),
    claim("claim_ready_1m", Floor::RatioAtMost(2.0), Some(1.3)),
    claim("claim_beside", Floor::RatioAtMost(5.0), Some(2.0)),
    // SQLite: 32 in flight, each commit durable.
    at_least("sqlite_stages", "jobs/s", "one writer with group commit, 32 callers", 0.6, 0.9),
];

const PAIR: &str = "notify and claim, bare";

/// The rows of the benchmark of the time from a submission to the commit of its start, on an idle worker.
pub const LATENCY: [Measure; 3] = [
    Measure {
        bench: "start_p50",
        unit: "ms",
        against: Some(PAIR),
        floor: Floor::RatioAtMost(1.5),
        aim: None,
    },
    Measure {
        bench: "start_p99",
        unit: "ms",
        against: Some(PAIR),
        floor: Floor::RatioAtMost(2.0),
        aim: None,
    },
    // The longest, without notifications.
    Measure {
        bench: "start_untold",
        unit: "s",
        against: None,
        floor: Floor::ValueAtMost(1.1),
        aim: None,
    },
];

/// A row of the benchmark of looks at the backlog: milliseconds, compared with nothing.
const fn look(bench: &'static str, floor: Floor) -> Measure {
    Measure { bench, unit: "ms", against: None, floor, aim: None }
}

/// The rows of the benchmark of looks at the backlog, beside a million jobs that have ended and while workers
/// claim.
pub const BACKLOG: [Measure; 3] = [
    // What `koinon backlog` asks.
    look("backlog_p50", Floor::None),
    look("backlog_p95", Floor::ValueAtMost(50.0)),
    // The function of the autoscaler.
    look("scaler_p95", Floor::None),
];

/// The rows of the benchmark of ten workers that have nothing to do, each of the worker that costs most.
pub const IDLE: [Measure; 3] = [
    // What the server logs for a worker, for each database that it works on.
    Measure {
        bench: "idle_statements",
        unit: "1/s",
        against: None,
        floor: Floor::ValueAtMost(1.2),
        aim: None,
    },
    // Resident at the end.
    Measure {
        bench: "idle_rss",
        unit: "MB",
        against: None,
        floor: Floor::ValueAtMost(25.0),
        aim: None,
    },
    // Of one processor.
    Measure {
        bench: "idle_cpu",
        unit: "%",
        against: None,
        floor: Floor::ValueAtMost(0.5),
        aim: None,
    },
];
