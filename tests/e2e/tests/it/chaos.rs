//! A short run of chaos: the machinery works, and what it is after holds. `cargo xtask chaos` does it for
//! longer.

use std::time::Duration;

use koinon_e2e::Store;
use koinon_e2e::chaos::{Plan, Verdict, run};

const PROGRAM: &str = env!("CARGO_BIN_EXE_kit-worker");

on_each_store! { chaos_breaks_no_promise }

async fn chaos_breaks_no_promise(store: Store) {
    let mut plan = Plan::new(PROGRAM.into(), store, 20_261_129);
    plan.workers = 3;
    plan.jobs = 40;
    plan.lasts = Duration::from_secs(4);
    (plan.kills, plan.stops) = (3, 1);

    let report = run(&plan).await;

    assert_eq!(report.verdict(), Verdict::Kept, "{report}{}", report.json());
    let [kills, stops, ..] = report.harm();
    assert!(kills >= 3 && stops >= 1, "{}", report.json());
}
