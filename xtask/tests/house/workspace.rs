//! The rules on the workspace itself, so that the tests alone show when one is broken.

use std::path::Path;

use super::tree::{Answer, xtask};

fn on_the_workspace(verb: &str) -> Answer {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    xtask(&[verb], own.parent().expect("the workspace"))
}

#[test]
fn the_workspace_is_tidy() {
    on_the_workspace("tidy").passes();
}

#[test]
fn the_arrows_of_the_workspace_point_down() {
    on_the_workspace("arrows").passes();
}

#[test]
fn the_schema_of_the_workspace_is_blessed() {
    on_the_workspace("schema").passes();
}
