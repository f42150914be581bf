//! Child processes of workloads. None outlives its job, its worker or the process that waits for it.
//!
//! Between a workload and its child stands a *guard*: this program, started once more, in a process of its own. It
//! starts the child in a process group of its own, adopts whatever the child leaves behind, and kills all of it when
//! the child has ended, when the workload lets go, and when the worker is gone, however that happened.
//!
//! So the program has to give way to the guard first of all in its `main`:
//!
//! ```
//! # use std::process::ExitCode;
//! fn main() -> ExitCode {
//!     if let Some(exit) = koinon_runner::child::guard() {
//!         return exit;
//!     }
//!     // …
//! #   ExitCode::SUCCESS
//! }
//! ```

mod command;
mod guard;

use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

pub use command::{Child, ChildCommand};

/// How the guard is called, in place of the name of a program.
const NAME: &str = "koinon-guard";

/// How long the guard may take to see that its worker is gone.
const LOOK_EVERY: std::time::Duration = std::time::Duration::from_millis(250);

/// Whether this program gives way to the guard. One that does not would start itself instead.
static GIVES_WAY: AtomicBool = AtomicBool::new(false);

/// Where this process was started as the guard of a child: guards it to its end, and says what to exit with.
/// Everywhere else it does nothing but allow children.
#[must_use = "the guard has to end the process with this"]
pub fn guard() -> Option<ExitCode> {
    let mut words = std::env::args_os();
    if words.next().is_some_and(|name| name == NAME) {
        return Some(guard::run(words));
    }
    GIVES_WAY.store(true, Ordering::Release);
    None
}
