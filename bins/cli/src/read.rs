//! Reading the command line.

use clap::Parser as _;
use koinon::domain::ErrorCode;

use crate::args::Cli;
use crate::console::{self, Console, Format};
use crate::exit::Exit;
use crate::fault::Fault;

/// How what the parser says begins where something is wrong.
const BEGINS: &str = "error: ";

/// What is wrong where it shows the help instead.
const NO_COMMAND: &str = "the name of a command is missing";

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
    let plain = error.render().to_string();
    if plain.starts_with(BEGINS) {
        let code = ErrorCode::USAGE;
        console::remark(&text.replacen("error:", &format!("error[{code}]:"), 1));
    } else {
        Console::new(Format::Text).error(&ErrorCode::USAGE, NO_COMMAND, None);
        console::remark(&format!("\n{text}"));
    }
    if wants_json() {
        // Standard error has the text already; the exit code remains if this cannot be written.
        let _unwritten = Console::new(Format::Json).object_of(&Fault::usage(summary(&plain)));
    }
    Err(Exit::Usage)
}

/// What is wrong, in one line, without the advice that follows it.
fn summary(plain: &str) -> String {
    let says = plain.strip_prefix(BEGINS).unwrap_or(NO_COMMAND);
    let lines = says.lines().map(str::trim).take_while(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join(" ")
}

/// Whether `--json` stands anywhere before what is not an option any more.
fn wants_json() -> bool {
    std::env::args_os().skip(1).take_while(|arg| arg != "--").any(|arg| arg == "--json")
}
