//! Reading the command line.

use clap::Parser as _;

use crate::args::Cli;
use crate::console::{self, Console, Format};
use crate::exit::Exit;
use crate::fault::Fault;

/// The command line; or how the program ends, with everything told.
pub(crate) fn command_line() -> Result<Cli, Exit> {
    let error = match Cli::try_parse() {
        Ok(cli) => return Ok(cli),
        Err(error) => error,
    };
    let text = error.render().ansi().to_string();
    if !error.use_stderr() {
        // Help and version are what was asked for.
        return Err(match console::written(&text) {
            Ok(()) => Exit::Succeeded,
            Err(fault) => fault.exit,
        });
    }
    console::remark(&text);
    if wants_json() {
        let plain = error.render().to_string();
        let summary = plain.lines().next().unwrap_or_default();
        let summary = summary.strip_prefix("error: ").unwrap_or(summary);
        // Standard error has the text already; the exit code remains if this cannot be written.
        let _unwritten = Console::new(Format::Json).object_of(&Fault::usage(summary));
    }
    Err(Exit::Usage)
}

/// Whether `--json` stands anywhere before what is not an option any more.
fn wants_json() -> bool {
    std::env::args_os().skip(1).take_while(|arg| arg != "--").any(|arg| arg == "--json")
}
