//! The floors of the benchmarks are a promise; they are written twice, so that nobody moves one
//! in passing.

use crate::bench::floors::{DATASET, Floor, Measure};
use crate::problem::Problem;

const TABLE: &str = "xtask/src/bench/floors.rs";

/// The rows of `cargo xtask bench dataset` and their floors.
const PROMISED: [(&str, Floor); 7] = [
    ("overhead_p50", Floor::RatioAtMost(3.0)),
    ("overhead_p99", Floor::RatioAtMost(6.0)),
    ("items_per_s_1", Floor::None),
    ("items_per_s_4", Floor::None),
    ("items_per_s_16", Floor::RatioAtLeast(3.0)),
    ("peak_rss", Floor::ValueAtMost(100.0)),
    ("startup", Floor::ValueAtMost(50.0)),
];

pub(super) fn check() -> Vec<Problem> {
    check_table(&DATASET)
}

fn check_table(table: &[Measure]) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (bench, promised) in PROMISED {
        let says = match table.iter().find(|measure| measure.bench == bench) {
            Some(measure) if measure.floor == promised => continue,
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
    use super::{DATASET, Floor, check_table};

    #[test]
    fn a_missing_row_is_a_problem() {
        let problems = check_table(&DATASET[1..]);
        let says: Vec<String> = problems.iter().map(ToString::to_string).collect();
        assert_eq!(says.len(), 1);
        assert!(says[0].contains("has no row overhead_p50"), "{says:?}");
    }

    #[test]
    fn a_floor_that_was_moved_is_a_problem() {
        let mut table = DATASET.clone();
        table[0].floor = Floor::RatioAtMost(4.0);
        let problems = check_table(&table);
        assert_eq!(problems.len(), 1, "{problems:?}");
    }
}
