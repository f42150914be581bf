//! Why a run did not end with a job that has succeeded, and what to do next.

use koinon::budget::{Axis, Mark};
use koinon::domain::{ErrorCode, State};
use koinon::runner::Trouble;
use koinon::store::JobStatus;

use crate::console::Console;
use crate::exit::Exit;
use crate::fault::Fault;

/// What is told on standard error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Reason {
    /// The stable code; `None` where somebody asked for it.
    pub(super) code: Option<ErrorCode>,
    pub(super) summary: String,
    help: Option<String>,
    pub(super) exit: Exit,
}

impl Reason {
    /// Why a job that has ended, or stands still, has not succeeded.
    pub(super) fn of(job: &JobStatus) -> Option<Self> {
        let id = job.spec.id;
        let failed = job.run.failed.as_ref();
        let code = failed.map(|failed| failed.code.clone());
        let (asked, help) = match job.run.state {
            State::Succeeded => return None,
            State::Cancelled => ("the job was cancelled", "--again submits a new job".to_owned()),
            State::Paused if code == Some(ErrorCode::BUDGET_EXHAUSTED) => ("", raise(job)),
            State::Paused if code == Some(ErrorCode::CALL_IN_DOUBT) => {
                ("", format!("`koinon ledger in-doubt {id}` lists the calls to settle or release"))
            }
            State::Paused => {
                ("the job was paused by request", "run the same command again to go on".to_owned())
            }
            State::Failed
            | State::Queued
            | State::Leased
            | State::Running
            | State::RetryWait
            | State::Pausing
            | State::Cancelling => {
                let history = format!("`koinon job events {id}` has the history");
                ("", format!("{history}; the same command tries again"))
            }
        };
        let (code, summary) = match failed {
            Some(failed) if asked.is_empty() => (code, failed.summary.to_string()),
            None if asked.is_empty() => (None, format!("the job is {}", job.run.state)),
            _ => (None, asked.to_owned()),
        };
        let exit = Exit::of(job.run.state).unwrap_or(Exit::Failed);
        Some(Self { code, summary, help: Some(help), exit })
    }

    /// This process was told to stop.
    pub(super) fn interrupted(job: &JobStatus) -> Self {
        let id = job.spec.id;
        let again = "run the same command again to go on";
        let (summary, help) = if matches!(job.run.state, State::Queued | State::RetryWait) {
            ("stopped, and the job is handed back", again.to_owned())
        } else {
            (
                "stopped; another process has the job, or its lease has not expired yet",
                format!("{again}, or follow it by `koinon job wait {id}`"),
            )
        };
        let code = Some(ErrorCode::INTERRUPTED);
        Self { code, summary: summary.to_owned(), help: Some(help), exit: Exit::Interrupted }
    }

    /// What the job came to could not be written down.
    pub(super) fn trouble(trouble: Trouble) -> Self {
        let help = "mend that, then run the same command again; nothing that was stored is lost";
        Self {
            code: Some(trouble.code),
            summary: trouble.message,
            help: Some(help.to_owned()),
            exit: Exit::Failed,
        }
    }

    pub(super) fn tell(&self, console: Console) {
        let help = self.help.as_deref();
        match &self.code {
            Some(code) => console.error(code, &self.summary, help),
            None => console.note(&self.summary, help.unwrap_or_default()),
        }
    }
}

impl From<Fault> for Reason {
    fn from(fault: Fault) -> Self {
        let Fault { code, summary, help, exit } = fault;
        Self { code: Some(code), summary, help, exit }
    }
}

/// The command that raises the limits which stand in the way.
fn raise(job: &JobStatus) -> String {
    let (limits, balance) = (&job.run.limits, &job.run.balance);
    let all = [
        (Axis::Cost, "--budget-usd X"),
        (Axis::Calls, "--max-calls N"),
        (Axis::Items, "--max-items N"),
    ];
    let options_at = |mark: Option<Mark>| -> Vec<&str> {
        let set = all.iter().filter(|(axis, _)| limits.on(*axis).is_some());
        let reached = set.filter(|(axis, _)| balance.mark(limits, *axis) >= mark);
        reached.map(|(_, option)| *option).collect()
    };
    // The limit that refused a call need not be spent to its end; the nearest to it are named then.
    let marks = [Some(Mark::Percent100), Some(Mark::Percent80), None];
    let options = marks.into_iter().map(options_at).find(|options| !options.is_empty());
    let options = options.unwrap_or_default().join(" ");
    format!("`koinon budget raise {} {options}`, then the same command again", job.spec.id)
}
