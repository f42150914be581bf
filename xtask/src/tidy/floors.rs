//! The floors of the benchmarks are a promise; they are written twice, so that nobody moves one
//! in passing.

use crate::bench::floors::{BACKLOG, DATASET, ENGINE, Floor, IDLE, LATENCY, Measure};
use crate::problem::Problem;

const TABLE: &str = "xtask/src/bench/floors.rs";

/// Rows and their floors.
type Promised = [(&'static str, Floor)];

/// Those of `cargo xtask bench dataset`.
const PROMISED_OF_DATASET: [(&str, Floor); 7] = [
    ("overhead_p50", Floor::RatioAtMost(3.0)),
    ("overhead_p99", Floor::RatioAtMost(6.0)),
    ("items_per_s_1", Floor::None),
    ("items_per_s_4", Floor::None),
    ("items_per_s_16", Floor::RatioAtLeast(3.0)),
    ("peak_rss", Floor::ValueAtMost(100.0)),
    ("startup", Floor::ValueAtMost(50.0)),
];

/// Those of `cargo xtask bench engine`.
const PROMISED_OF_ENGINE: [(&str, Floor); 13] = [
    ("submit_one", Floor::RatioAtLeast(0.6)),
    ("submit_1000", Floor::RatioAtLeast(4.0)),
    ("noop", Floor::RatioAtLeast(2.0)),
    ("stages", Floor::RatioAtLeast(0.7)),
    ("paid", Floor::RatioAtLeast(0.7)),
    ("noop_slow_commit", Floor::RatioAtLeast(1.5)),
    ("stages_slow_commit", Floor::RatioAtLeast(2.0)),
    ("paid_slow_commit", Floor::RatioAtLeast(2.0)),
    ("claim_ready_1k", Floor::None),
    ("claim_ready_100k", Floor::None),
    ("claim_ready_1m", Floor::RatioAtMost(2.0)),
    ("claim_beside", Floor::RatioAtMost(5.0)),
    ("sqlite_stages", Floor::RatioAtLeast(0.6)),
];

/// Those of `cargo xtask bench latency`.
const PROMISED_OF_LATENCY: [(&str, Floor); 3] = [
    ("start_p50", Floor::RatioAtMost(1.5)),
    ("start_p99", Floor::RatioAtMost(2.0)),
    ("start_untold", Floor::ValueAtMost(1.1)),
];

/// Those of `cargo xtask bench backlog`.
const PROMISED_OF_BACKLOG: [(&str, Floor); 3] = [
    ("backlog_p50", Floor::None),
    ("backlog_p95", Floor::ValueAtMost(50.0)),
    ("scaler_p95", Floor::None),
];

/// Those of `cargo xtask bench idle`.
const PROMISED_OF_IDLE: [(&str, Floor); 3] = [
    ("idle_statements", Floor::ValueAtMost(1.2)),
    ("idle_rss", Floor::ValueAtMost(25.0)),
    ("idle_cpu", Floor::ValueAtMost(0.5)),
];

pub(super) fn check() -> Vec<Problem> {
    let mut problems = check_table(&DATASET, &PROMISED_OF_DATASET);
    problems.extend(check_table(&ENGINE, &PROMISED_OF_ENGINE));
    problems.extend(check_table(&LATENCY, &PROMISED_OF_LATENCY));
    problems.extend(check_table(&BACKLOG, &PROMISED_OF_BACKLOG));
    problems.extend(check_table(&IDLE, &PROMISED_OF_IDLE));
    problems
}

fn check_table(table: &[Measure], promised: &Promised) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (bench, promised) in promised {
        let says = match table.iter().find(|measure| measure.bench == *bench) {
            Some(measure) if measure.floor == *promised => continue,
            Some(measure) => {
                let found = measure.floor;
                format!("the floor of {bench} is {found:?}, but {promised:?} is promised")
            }
            None => format!("has no row {bench}, but {promised:?} is promised"),
        };
        problems.push(Problem::new(TABLE, says));
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::{
        DATASET, ENGINE, Floor, LATENCY, PROMISED_OF_DATASET, PROMISED_OF_ENGINE,
        PROMISED_OF_LATENCY, check, check_table,
    };

    #[test]
    fn the_tables_are_as_promised() {
        assert_eq!(check(), []);
    }

    #[test]
    fn a_missing_row_is_a_problem() {
        let problems = check_table(&DATASET[1..], &PROMISED_OF_DATASET);
        let says: Vec<String> = problems.iter().map(ToString::to_string).collect();
        assert_eq!(says.len(), 1);
        assert!(says[0].contains("has no row overhead_p50"), "{says:?}");
    }

    #[test]
    fn a_floor_that_was_moved_is_a_problem() {
        let mut table = ENGINE.clone();
        table[0].floor = Floor::RatioAtLeast(0.5);
        let problems = check_table(&table, &PROMISED_OF_ENGINE);
        assert_eq!(problems.len(), 1, "{problems:?}");
        let without_the_first = check_table(&LATENCY[1..], &PROMISED_OF_LATENCY);
        assert_eq!(without_the_first.len(), 1, "{without_the_first:?}");
    }
}
