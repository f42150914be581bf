//! The `koinon` command line.

mod args;
mod command;
mod console;
mod exit;
mod fault;
mod instant;
mod job_ref;
mod kinds;
mod logging;
mod open;
mod order;
mod output;
mod prices;
mod progress;
mod read;
mod schema;
mod signals;
mod view;

use std::process::ExitCode;

use koinon::domain::ErrorCode;
use tokio::runtime::{Builder, Runtime};

use crate::args::Cli;
use crate::command::{Context, execute};
use crate::console::{Console, Format};
use crate::fault::Fault;

fn main() -> ExitCode {
    let Cli { global, command } = match read::command_line() {
        Ok(cli) => cli,
        Err(exit) => return exit.into(),
    };
    let console = Console::new(if global.json { Format::Json } else { Format::Text });
    let context = Context { global, console };
    let ended = logging::start().and_then(|()| runtime()).and_then(|runtime| {
        let ended = runtime.block_on(execute(&context, command));
        // What still blocks, such as reading standard input, must not keep the process.
        runtime.shutdown_background();
        ended
    });
    let exit = ended.unwrap_or_else(|fault| {
        console.fault(&fault);
        fault.exit
    });
    exit.into()
}

fn runtime() -> Result<Runtime, Fault> {
    let runtime = Builder::new_multi_thread().worker_threads(2).enable_all().build();
    runtime.map_err(|error| Fault::new(ErrorCode::PERMANENT, error.to_string()))
}
