//! The backlog of a long queue, which the model store would be slow to fill.

use koinon_kit::conformance::{backlog, run};

use crate::harness::OnSqlite;

#[test]
fn a_count_stops_above_ten_thousand() {
    run(OnSqlite, backlog::a_count_stops_above_ten_thousand);
}
