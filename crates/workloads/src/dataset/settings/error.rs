//! What is wrong with a setting.

/// A setting that is unknown or has a value that is not allowed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SettingsError {
    /// No setting has this name.
    #[error("unknown setting `{key}`{hint}; known settings: {known}")]
    Unknown {
        /// The name that was given.
        key: String,
        /// The nearest known name, as half a sentence, or nothing.
        hint: String,
        /// All known names.
        known: String,
    },
    /// The value is not allowed.
    #[error("setting `{key}`: `{value}` is refused; allowed: {allowed}")]
    Invalid {
        /// The setting.
        key: String,
        /// The value that was given, cut if it is long.
        value: String,
        /// What is allowed.
        allowed: String,
    },
}

impl SettingsError {
    pub(super) fn unknown(key: &str, known: &[&str]) -> Self {
        let nearest = known.iter().map(|name| (strsim::jaro_winkler(key, name), name));
        let hint = nearest
            .filter(|(nearness, _)| *nearness > 0.8)
            .max_by(|(one, _), (other, _)| one.total_cmp(other))
            .map_or_else(String::new, |(_, name)| format!(", did you mean `{name}`"));
        Self::Unknown { key: shown(key), hint, known: known.join(", ") }
    }

    pub(super) fn invalid(key: &str, value: &str, allowed: String) -> Self {
        Self::Invalid { key: key.to_owned(), value: shown(value), allowed }
    }
}

fn shown(text: &str) -> String {
    text.chars().take(80).flat_map(char::escape_debug).collect()
}
