//! Starting a child, and waiting for it.

use std::ffi::OsStr;
use std::io;
use std::path::Path;
use std::process::{ExitStatus, Output, Stdio};
use std::sync::atomic::Ordering;

use rustix::process::{Pid, Signal, kill_process};
use tokio::process::{ChildStderr, ChildStdin, ChildStdout, Command};

use super::{GIVES_WAY, NAME};

/// What a child finds in its environment of that of its worker. Keys and passwords are not among it.
const PASSED_ON: [&str; 6] = ["PATH", "HOME", "LANG", "LC_ALL", "TZ", "TMPDIR"];

/// A program to be started as a child of a workload.
#[derive(Debug)]
pub struct ChildCommand(Command);

/// A child that runs. It is killed, with everything that it has started, when this value goes.
#[derive(Debug)]
pub struct Child {
    child: tokio::process::Child,
    /// Until the guard has been waited for.
    guard: Option<Pid>,
}

impl ChildCommand {
    /// This program, without arguments. Of the environment it sees the paths and the language only; it reads
    /// nothing, and writes where the worker writes.
    #[must_use]
    pub fn new(program: impl AsRef<OsStr>) -> Self {
        let mut command = Command::new(own_program());
        command.arg0(NAME).arg(std::process::id().to_string()).arg(program);
        command.env_clear().stdin(Stdio::null()).process_group(0);
        for name in PASSED_ON {
            if let Some(value) = std::env::var_os(name) {
                command.env(name, value);
            }
        }
        Self(command)
    }

    /// With one more argument.
    #[must_use]
    pub fn arg(mut self, arg: impl AsRef<OsStr>) -> Self {
        self.0.arg(arg);
        self
    }

    /// With more arguments.
    #[must_use]
    pub fn args(mut self, args: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Self {
        self.0.args(args);
        self
    }

    /// With this variable in its environment.
    #[must_use]
    pub fn env(mut self, name: impl AsRef<OsStr>, value: impl AsRef<OsStr>) -> Self {
        self.0.env(name, value);
        self
    }

    /// In this folder.
    #[must_use]
    pub fn current_dir(mut self, folder: impl AsRef<Path>) -> Self {
        self.0.current_dir(folder);
        self
    }

    /// Reading from here.
    #[must_use]
    pub fn stdin(mut self, from: impl Into<Stdio>) -> Self {
        self.0.stdin(from);
        self
    }

    /// Writing to here.
    #[must_use]
    pub fn stdout(mut self, to: impl Into<Stdio>) -> Self {
        self.0.stdout(to);
        self
    }

    /// Writing errors to here.
    #[must_use]
    pub fn stderr(mut self, to: impl Into<Stdio>) -> Self {
        self.0.stderr(to);
        self
    }

    /// Starts it.
    ///
    /// # Errors
    ///
    /// The guard could not be started, or the program does not give way to it in its `main`. That the child's
    /// own program is not there shows in its exit code, 127.
    pub fn spawn(mut self) -> io::Result<Child> {
        if !GIVES_WAY.load(Ordering::Acquire) {
            return Err(io::Error::other(
                "the program does not call koinon_runner::child::guard first",
            ));
        }
        let child = self.0.spawn()?;
        let guard = child.id().and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw);
        Ok(Child { child, guard })
    }

    /// Runs it to its end, and returns what it wrote.
    ///
    /// # Errors
    ///
    /// As [`spawn`](Self::spawn), or reading what it wrote failed.
    ///
    /// # Cancel safety
    ///
    /// The child is killed when the future is dropped.
    pub async fn output(self) -> io::Result<Output> {
        let mut child = self.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
        let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
        let (mut out, mut err) = (child.take_stdout(), child.take_stderr());
        let (status, read_out, read_err) = tokio::join!(
            child.wait(),
            read_all(&mut out, &mut stdout),
            read_all(&mut err, &mut stderr)
        );
        read_out?;
        read_err?;
        Ok(Output { status: status?, stdout, stderr })
    }
}

impl Child {
    /// What the child reads, if it is a pipe and was not taken before.
    pub fn take_stdin(&mut self) -> Option<ChildStdin> {
        self.child.stdin.take()
    }

    /// What the child writes, if it is a pipe and was not taken before.
    pub fn take_stdout(&mut self) -> Option<ChildStdout> {
        self.child.stdout.take()
    }

    /// What the child writes to standard error, if it is a pipe and was not taken before.
    pub fn take_stderr(&mut self) -> Option<ChildStderr> {
        self.child.stderr.take()
    }

    /// Waits until the child has ended, and everything that it has started is gone. A child that a signal
    /// ended has the exit code 128 and the number of the signal.
    ///
    /// # Errors
    ///
    /// The system does not answer.
    ///
    /// # Cancel safety
    ///
    /// It may be called again.
    pub async fn wait(&mut self) -> io::Result<ExitStatus> {
        let status = self.child.wait().await?;
        self.guard = None;
        Ok(status)
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        if let Some(guard) = self.guard {
            // The guard kills what it guards. The runtime waits for it, so no zombie stays.
            let _gone = kill_process(guard, Signal::TERM);
        }
    }
}

async fn read_all<R>(from: &mut Option<R>, to: &mut Vec<u8>) -> io::Result<()>
where
    R: tokio::io::AsyncRead + Unpin,
{
    if let Some(from) = from {
        tokio::io::AsyncReadExt::read_to_end(from, to).await?;
    }
    Ok(())
}

/// This program, even if its file was replaced meanwhile.
fn own_program() -> std::path::PathBuf {
    if cfg!(target_os = "linux") {
        return "/proc/self/exe".into();
    }
    std::env::current_exe().unwrap_or_default()
}
