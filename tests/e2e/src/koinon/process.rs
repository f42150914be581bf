//! A process of the program while it runs.

use std::path::PathBuf;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use tokio::process::Child;
use tokio::time::{Instant, timeout};

use super::Ended;

/// A process; it is killed when this value goes.
#[derive(Debug)]
pub struct Process {
    child: Child,
    pid: Pid,
    said: String,
    out: PathBuf,
    err: PathBuf,
    started: Instant,
    group: Option<Group>,
}

/// What a shell started; it is killed when this value goes.
#[derive(Debug)]
struct Group(Pid);

impl Drop for Group {
    fn drop(&mut self) {
        // Mostly it has ended by itself.
        let _gone = kill_process_group(self.0, Signal::KILL);
    }
}

impl Process {
    pub(super) fn new(child: Child, said: String, out: PathBuf, err: PathBuf) -> Self {
        let pid = i32::try_from(child.id().expect("it runs")).unwrap();
        let pid = Pid::from_raw(pid).expect("a process id");
        Self { child, pid, said, out, err, started: Instant::now(), group: None }
    }

    /// The same, as the leader of a group that ends with it.
    pub(super) fn leading_a_group(mut self) -> Self {
        self.group = Some(Group(self.pid));
        self
    }

    /// Sends it a signal.
    pub fn signal(&self, signal: Signal) {
        kill_process(self.pid, signal).expect("it runs");
    }

    /// What it wrote to stderr so far.
    #[must_use]
    pub fn stderr(&self) -> String {
        String::from_utf8_lossy(&std::fs::read(&self.err).unwrap()).into_owned()
    }

    /// Whether it has ended by now.
    pub fn has_ended(&mut self) -> bool {
        self.child.try_wait().unwrap().is_some()
    }

    /// Kills it as `kill -9` does, and waits until it is gone. Returns whether it was still there.
    pub async fn kill(mut self) -> bool {
        if self.has_ended() {
            return false;
        }
        self.signal(Signal::KILL);
        let status = self.child.wait().await.unwrap();
        std::os::unix::process::ExitStatusExt::signal(&status) == Some(Signal::KILL.as_raw())
    }

    /// Waits for its end.
    pub async fn ended_within(mut self, deadline: Duration) -> Ended {
        let Ok(status) = timeout(deadline, self.child.wait()).await else {
            panic!("`koinon {}` has not ended within {deadline:?}: {}", self.said, self.stderr());
        };
        Ended {
            code: status.unwrap().code(),
            stdout: String::from_utf8_lossy(&std::fs::read(&self.out).unwrap()).into_owned(),
            stderr: self.stderr(),
            took: self.started.elapsed(),
            said: self.said,
        }
        .without_a_panic()
    }
}
