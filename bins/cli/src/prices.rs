//! Price profiles in files.

use std::path::Path;

use koinon::budget::Profile;

use crate::fault::Fault;

/// Reads a price profile; a fault names the file and the place in it.
pub(crate) fn read(file: &Path) -> Result<Profile, Fault> {
    let text = std::fs::read_to_string(file).map_err(|error| {
        Fault::usage(format!("the price profile {} cannot be read: {error}", file.display()))
    })?;
    Profile::from_toml(&text).map_err(|error| Fault::usage(format!("{}: {error}", file.display())))
}
