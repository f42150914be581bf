//! Settings together with where each value came from.

use super::Settings;
use super::key::KEYS;

/// Settings, and where each value came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loaded {
    /// The settings.
    pub settings: Settings,
    /// One for each value, in the order of the documentation.
    pub origins: Vec<Origin>,
}

/// Where a value came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// The key, such as `operations.lease_for`.
    pub key: String,
    /// The value as it would be written, secrets masked; `none` where there is none.
    pub value: String,
    /// `default`, the name of the file, `environment KOINON_…`, or `flag --…`.
    pub source: String,
}

/// What stands in [`Origin::source`] for a value that nobody set.
pub(super) const DEFAULT: &str = "default";

/// The origins of all values; `set_by` names who set a key, if somebody did.
pub(super) fn of(settings: &Settings, set_by: impl Fn(&str) -> Option<String>) -> Vec<Origin> {
    let mut settings = settings.clone();
    let mut origins = Vec::new();
    for key in KEYS {
        for name in key.names(&settings) {
            let value = key.field(&mut settings, &name).show();
            let key = key.with_name(&name);
            let source = set_by(&key).unwrap_or_else(|| DEFAULT.to_owned());
            origins.push(Origin { key, value, source });
        }
    }
    origins
}
