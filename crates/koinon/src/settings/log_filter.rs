//! What is logged. No file says it, since logs start before one is read.

use std::ffi::{OsStr, OsString};

use super::Error;

/// The variables that say it, the heaviest first.
const NAMES: [&str; 2] = ["KOINON_LOG", "RUST_LOG"];

/// The most letters of a value that are shown.
const SHOWN: usize = 80;

/// What `KOINON_LOG`, or else `RUST_LOG`, says is to be logged, as `read` understands it; `None` where neither
/// is set.
///
/// # Errors
///
/// [`Error::OutOfRange`] under the name of the variable if `read` does not understand it, or its bytes are no text.
pub fn log_filter<T>(read: impl FnOnce(&str) -> Option<T>) -> Result<Option<T>, Error> {
    filter_of(|name| std::env::var_os(name), read)
}

fn filter_of<T>(
    variable: impl Fn(&str) -> Option<OsString>,
    read: impl FnOnce(&str) -> Option<T>,
) -> Result<Option<T>, Error> {
    let set = NAMES.into_iter().find_map(|name| Some((name, variable(name)?)));
    let Some((name, value)) = set else { return Ok(None) };
    match value.to_str().and_then(read) {
        Some(filter) => Ok(Some(filter)),
        None => Err(refused(name, &value)),
    }
}

fn refused(name: &str, value: &OsStr) -> Error {
    let value: String = value.to_string_lossy().chars().take(SHOWN).collect();
    Error::OutOfRange {
        key: name.to_owned(),
        value: format!("{value:?}"),
        set_by: "environment".to_owned(),
        allowed: "a level such as debug, or a filter such as warn,koinon=debug".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::ffi::OsStringExt as _;

    use super::*;

    fn filter(set: &[(&str, &[u8])]) -> Result<Option<u32>, Error> {
        let of = |name: &str| set.iter().find(|(set, _)| *set == name).map(|(_, value)| *value);
        filter_of(|name| Some(OsString::from_vec(of(name)?.to_vec())), |text| text.parse().ok())
    }

    #[test]
    fn the_variable_of_this_program_weighs_more() {
        assert_eq!(filter(&[]).unwrap(), None);
        assert_eq!(filter(&[("RUST_LOG", b"1")]).unwrap(), Some(1));
        assert_eq!(filter(&[("RUST_LOG", b"x"), ("KOINON_LOG", b"2")]).unwrap(), Some(2));
    }

    #[test]
    fn what_cannot_be_read_is_refused_under_the_name_of_its_variable() {
        let told = |set: &[(&str, &[u8])]| filter(set).unwrap_err().to_string();
        let must = "must be a level such as debug, or a filter such as warn,koinon=debug";
        let broken = told(&[("KOINON_LOG", b"=["), ("RUST_LOG", b"1")]);
        assert_eq!(broken, format!("KOINON_LOG = \"=[\" (environment) {must}"));
        let no_text = told(&[("RUST_LOG", b"\xff")]);
        assert_eq!(no_text, format!("RUST_LOG = \"\u{fffd}\" (environment) {must}"));
        assert!(told(&[("KOINON_LOG", &[b'x'; 10_000])]).len() < 300);
    }
}
