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
