//! What the program does, one verb a file.

mod migrate;
mod submit;
mod work;

use std::io::Write as _;

use serde::Serialize;

pub(crate) use migrate::migrate;
pub(crate) use submit::submit;
pub(crate) use work::work;

/// Prints one JSON object as a line.
fn tell(what: &impl Serialize) -> anyhow::Result<()> {
    let mut stdout = std::io::stdout().lock();
    writeln!(stdout, "{}", serde_json::to_string(what)?)?;
    Ok(stdout.flush()?)
}
