//! What holds for settings, whoever made them.

use koinon_domain::QueueName;
use koinon_provider::OFFLINE_NAME;

use super::key::KEYS;
use super::{Error, Settings};

/// How settings that no source set are called.
const PROGRAM: &str = "set by the program";

impl Settings {
    /// Checks the ranges of all values, for settings that a program made itself;
    /// [`load`](Self::load) does it by itself.
    ///
    /// # Errors
    ///
    /// [`Error::OutOfRange`] for the first value that is outside of its range.
    pub fn check(&self) -> Result<(), Error> {
        check(self, |_| PROGRAM.to_owned())
    }
}

/// Checks the ranges of all values; `set_by` says where a key was set.
pub(super) fn check(settings: &Settings, set_by: impl Fn(&str) -> String) -> Result<(), Error> {
    let refuse = |key: String, value: String, allowed: &str| {
        let set_by = set_by(&key);
        Err(Error::OutOfRange { key, value, set_by, allowed: allowed.to_owned() })
    };
    for name in settings.queues.keys() {
        if QueueName::try_new(name.as_str()).is_err() {
            let allowed = "named with 1 to 64 bytes and no control characters";
            return refuse("queues.<name>".to_owned(), format!("{name:?}"), allowed);
        }
    }
    for name in settings.providers.keys() {
        if !is_provider_name(name) {
            let allowed = "named with 1 to 64 lower-case letters, digits, - and _, and not offline, \
                           which is built in";
            return refuse("providers.<name>".to_owned(), format!("{name:?}"), allowed);
        }
    }
    let mut settings = settings.clone();
    for key in KEYS {
        for name in key.names(&settings) {
            let field = key.field(&mut settings, &name);
            if !field.holds() {
                let value = if field.may_hold_secret() {
                    super::secret::MASK.to_owned()
                } else {
                    field.show()
                };
                let allowed = field.allowed();
                return refuse(key.with_name(&name), value, &allowed);
            }
        }
    }
    Ok(())
}

fn is_provider_name(name: &str) -> bool {
    let fits =
        |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-_".contains(&byte);
    (1..=64).contains(&name.len()) && name.bytes().all(fits) && name != OFFLINE_NAME
}
