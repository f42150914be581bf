//! The progress bar: on standard error, when that is a terminal.

use std::io::{IsTerminal as _, stderr};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use koinon::Koinon;
use koinon::domain::{JobId, StageName};
use koinon::store::{JobStatus, Run};

use crate::console::BARS;

const LOOK_EVERY: Duration = Duration::from_millis(250);
const TEMPLATE: &str = "{prefix:>9} [{bar:30}] {pos}/{len} {msg}  {eta} left";

/// Shows how far a job is. It disappears when it is dropped.
#[derive(Debug)]
pub(crate) struct Bar {
    bar: Option<ProgressBar>,
    stage: Option<StageName>,
}

impl Bar {
    pub(crate) fn new() -> Self {
        let bar = stderr().is_terminal().then(|| BARS.add(ProgressBar::new(1)));
        if let (Some(bar), Ok(style)) = (&bar, ProgressStyle::with_template(TEMPLATE)) {
            bar.set_style(style.progress_chars("=> "));
        }
        Self { bar, stage: None }
    }

    /// Follows a job as it is stored, until this is dropped.
    pub(crate) async fn follow(&mut self, koinon: &Koinon, job: JobId) {
        if self.bar.is_none() {
            return std::future::pending().await;
        }
        loop {
            // A look that fails shows nothing new; whoever drives the job tells what is wrong.
            if let Ok(Some(status)) = koinon.jobs().job(koinon.tenant(), job).await {
                self.show(&status);
            }
            tokio::time::sleep(LOOK_EVERY).await;
        }
    }

    /// Shows the job as it stands.
    pub(crate) fn show(&mut self, job: &JobStatus) {
        let Some(bar) = &self.bar else { return };
        let Some(progress) = &job.run.progress else {
            bar.set_prefix(job.run.state.as_str());
            return bar.set_message(spending(&job.run));
        };
        if self.stage.as_ref() != Some(&progress.stage) {
            // The time left is that of the stage, which the one before says nothing about.
            bar.reset();
            self.stage = Some(progress.stage.clone());
        }
        bar.set_prefix(progress.stage.to_string());
        bar.set_length(progress.total);
        bar.set_position(progress.done);
        bar.set_message(format!("{}  {}", progress.unit, spending(&job.run)));
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// What is spent, against what may be spent.
fn spending(run: &Run) -> String {
    let taken = run.balance.spent.plus(run.balance.in_doubt);
    let cost = match run.limits.cost {
        Some(limit) => format!("{} of {limit} USD", taken.cost),
        None => format!("{} USD", taken.cost),
    };
    match run.limits.calls {
        Some(limit) => format!("{cost}, {} of {limit} calls", taken.calls),
        None => cost,
    }
}
