//! `cargo xtask ci`: everything that must hold before a change is taken in.

mod steps;

use std::process::ExitCode;

use crate::{arrows, process, schema, test, tidy, tools, workspace};
use steps::Steps;

/// Runs the checks, the quick ones first, and stops at the first that fails. The tests come last,
/// so that the run ends with the summary line of the test runner.
pub(crate) fn run() -> anyhow::Result<ExitCode> {
    let root = workspace::root()?;
    let cargo = |args: &[&'static str]| process::cargo(&root, args.iter().copied());
    let mut steps = Steps::default();

    steps.cargo("fmt", cargo(&["fmt", "--all", "--check"]))?;
    steps.house("arrows", || arrows::check(&root))?;
    steps.house("tidy", || tidy::check(&root))?;
    steps.house("schema", || schema::check(&root))?;
    let deny = tools::DENY
        .command(&root, ["check", "--hide-inclusion-graph", "bans", "licenses", "sources"])?;
    steps.cargo("deny", deny)?;
    steps.cargo(
        "clippy",
        cargo(&["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]),
    )?;
    let mut doc = cargo(&["doc", "--no-deps", "--workspace"]);
    doc.env("RUSTDOCFLAGS", "-D warnings");
    steps.cargo("doc", doc)?;
    steps.cargo("doctests", cargo(&["test", "--doc", "--workspace"]))?;
    steps.cargo("programs", test::programs(&root))?;
    let mut tests = test::runner(&root, &[])?;
    let cluster = test::cluster()?;
    let (name, value) = cluster.env();
    tests.env(name, value);
    steps.last("nextest", tests)
}
