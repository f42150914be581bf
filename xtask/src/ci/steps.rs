//! The steps of a run: each is named, timed, and ends the run when it fails.

use std::io::Write as _;
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

use anyhow::bail;

use crate::problem::Problem;
use crate::process;

/// What has passed so far, and how long it took.
#[derive(Debug, Default)]
pub(super) struct Steps {
    passed: Vec<(&'static str, Duration)>,
}

impl Steps {
    /// Runs a command as one step.
    pub(super) fn cargo(&mut self, name: &'static str, mut command: Command) -> anyhow::Result<()> {
        let spelled = process::spelled(&command);
        announce(name, &spelled)?;
        let started_at = now();
        let status = process::status(&mut command)?;
        let took = started_at.elapsed();
        if !status.success() {
            bail!("step `{name}` failed after {}; to repeat it: {spelled}", seconds(took));
        }
        self.pass(name, took)
    }

    /// Runs a house rule as one step.
    pub(super) fn house(
        &mut self,
        name: &'static str,
        check: impl FnOnce() -> anyhow::Result<Vec<Problem>>,
    ) -> anyhow::Result<()> {
        let spelled = format!("cargo xtask {name}");
        announce(name, &spelled)?;
        let started_at = now();
        let problems = check()?;
        let took = started_at.elapsed();
        for problem in &problems {
            writeln!(std::io::stderr(), "{problem}")?;
        }
        if !problems.is_empty() {
            bail!(
                "step `{name}` found {} problems in {}; to repeat it: {spelled}",
                problems.len(),
                seconds(took)
            );
        }
        self.pass(name, took)
    }

    /// Tells the times of all steps, then runs the last one and says nothing after it.
    pub(super) fn last(self, name: &'static str, mut command: Command) -> anyhow::Result<ExitCode> {
        let mut stderr = std::io::stderr();
        for (passed, took) in &self.passed {
            writeln!(stderr, "    {passed:<10} {:>8}", seconds(*took))?;
        }
        announce(name, &process::spelled(&command))?;
        Ok(process::exit_code(process::status(&mut command)?))
    }

    fn pass(&mut self, name: &'static str, took: Duration) -> anyhow::Result<()> {
        writeln!(std::io::stderr(), "<== {name}: passed in {}", seconds(took))?;
        self.passed.push((name, took));
        Ok(())
    }
}

fn announce(name: &str, spelled: &str) -> anyhow::Result<()> {
    Ok(writeln!(std::io::stderr(), "==> {name}: {spelled}")?)
}

#[expect(clippy::disallowed_methods, reason = "a step is timed for people; nothing depends on it")]
fn now() -> Instant {
    Instant::now()
}

fn seconds(time: Duration) -> String {
    format!("{:.1} s", time.as_secs_f64())
}
