//! The backlog of a long queue, which the model store would be slow to fill.

use koinon_kit::conformance::{backlog, run};

use crate::harness::OnPostgres;

#[test]
fn a_count_stops_above_ten_thousand() {
    run(OnPostgres, backlog::a_count_stops_above_ten_thousand);
}
