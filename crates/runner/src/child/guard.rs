//! The guard: it starts one child, and sees to it that nothing of it stays.

use std::ffi::OsString;
use std::os::unix::process::ExitStatusExt as _;
use std::process::{ExitCode, ExitStatus};

use rustix::process::{Pid, Signal, getppid, kill_process_group};
use tokio::process::{Child, Command};
use tokio::signal::unix::{SignalKind, signal};

use super::LOOK_EVERY;

/// The exit code of a child whose program cannot be started, as shells have it.
const NOT_STARTED: u8 = 127;

/// Guards the child that these words ask for: the id of the worker, the program, and its arguments.
pub(super) fn run(mut words: impl Iterator<Item = OsString>) -> ExitCode {
    let worker = words.next().and_then(|word| word.to_str()?.parse().ok()).and_then(Pid::from_raw);
    let (Some(worker), Some(program)) = (worker, words.next()) else {
        return ExitCode::from(NOT_STARTED);
    };
    adopt_orphans();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let Ok(runtime) = runtime else { return ExitCode::from(NOT_STARTED) };
    let mut command = Command::new(program);
    command.args(words).process_group(0);
    runtime.block_on(watch(worker, command)).unwrap_or(ExitCode::from(NOT_STARTED))
}

/// Watches until the child has ended, or has to.
async fn watch(worker: Pid, mut command: Command) -> std::io::Result<ExitCode> {
    let mut told = signal(SignalKind::terminate())?;
    let mut looks = tokio::time::interval(LOOK_EVERY);
    let mut child = command.spawn()?;
    let group = child.id().and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw);
    let status = loop {
        tokio::select! {
            status = child.wait() => break status?,
            _ = told.recv() => break killed(&mut child, group).await?,
            _ = looks.tick() => if getppid() != Some(worker) {
                break killed(&mut child, group).await?;
            }
        }
    };
    kill_group(group);
    kill_orphans();
    let code = status.code().or_else(|| status.signal().map(|signal| 128 + signal));
    Ok(ExitCode::from(code.and_then(|code| u8::try_from(code).ok()).unwrap_or(NOT_STARTED)))
}

async fn killed(child: &mut Child, group: Option<Pid>) -> std::io::Result<ExitStatus> {
    kill_group(group);
    child.wait().await
}

fn kill_group(group: Option<Pid>) {
    if let Some(group) = group {
        // Mostly nobody is left in it.
        let _gone = kill_process_group(group, Signal::KILL);
    }
}

/// What leaves the child's group becomes a child of the guard once its own parent has ended.
#[cfg(target_os = "linux")]
fn adopt_orphans() {
    use rustix::process::{getpid, set_child_subreaper};
    // Where that is not allowed, the group is all that can be killed.
    let _adopting = set_child_subreaper(Some(getpid()));
}

/// Kills and buries whatever was adopted, and what that leaves behind in turn.
#[cfg(target_os = "linux")]
fn kill_orphans() {
    use rustix::process::{WaitOptions, getpid, kill_process, wait};
    let id = getpid().as_raw_nonzero();
    // The system may not tell who the children are.
    while let Ok(children) = std::fs::read_to_string(format!("/proc/self/task/{id}/children")) {
        let ids = children.split_whitespace().filter_map(|id| id.parse().ok());
        for orphan in ids.filter_map(Pid::from_raw) {
            let _gone = kill_process(orphan, Signal::KILL);
        }
        // It ends with the error that there is no child any more.
        if wait(WaitOptions::empty()).is_err() {
            return;
        }
    }
}

#[cfg(not(target_os = "linux"))]
fn adopt_orphans() {}

#[cfg(not(target_os = "linux"))]
fn kill_orphans() {}
