//! The jobs of a run, and how each of them has to end.

use serde_json::{Value, json};

use super::tables::Standing;

/// Every so many jobs one kills its worker.
const ABORT_EVERY: usize = 20;

/// How many paid calls a spending job needs: two for its plan, and one for each item.
const ITEMS: usize = 3;

/// What half of the jobs may spend: less than they need on either axis.
const CALLS: i64 = 3;
const COST_NANO_USD: i64 = 150_000;

/// The jobs with these numbers: those that kill their worker, and those that spend.
pub(super) fn numbered(numbers: std::ops::Range<usize>) -> (Vec<Value>, Vec<Value>) {
    let (aborts, spends): (Vec<_>, Vec<_>) = numbers.partition(|number| number % ABORT_EVERY == 0);
    let abort = |number| json!({"kind": "abort", "key": format!("job {number}"), "input": {}});
    (aborts.into_iter().map(abort).collect(), spends.into_iter().map(spend).collect())
}

fn spend(number: usize) -> Value {
    let input = json!({"items": ITEMS, "weigh_ms": 120});
    let mut job = json!({"kind": "spend", "key": format!("job {number}"), "input": input});
    match number % 4 {
        1 => job["calls"] = CALLS.into(),
        3 => job["cost_nano_usd"] = COST_NANO_USD.into(),
        _ => {}
    }
    job
}

/// The state and the error code that a job has to end with.
pub(super) fn end_of(kind: &str, standing: &Standing) -> (&'static str, Option<&'static str>) {
    if kind == "abort" {
        ("failed", Some("worker_lost"))
    } else if standing.limit.iter().any(Option::is_some) {
        ("paused", Some("budget_exhausted"))
    } else {
        ("succeeded", None)
    }
}
