//! The settings of a dataset job, as `--set key=value` gives them.

mod error;
mod mix;
mod ratio;
mod size;

use serde::{Deserialize, Serialize};

pub use error::SettingsError;
pub use mix::{Kind, Mix};
pub use ratio::SplitRatio;

/// The names of all settings, in the order of [`Settings::identity`], then `concurrency`.
const KEYS: &[&str] = &[
    "target",
    "mix",
    "seed",
    "split",
    "chunk_tokens",
    "max_output_tokens",
    "max_file_bytes",
    "max_files",
    "licence",
    "concurrency",
];

/// The longest licence text.
const LICENCE_BYTES: usize = 500;

/// How a dataset is made; the default is what a job without settings has.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settings {
    /// How many examples are wanted; what the text yields when absent.
    pub target: Option<u32>,
    /// Which kinds of examples, in which proportion.
    pub mix: Mix,
    /// Chooses which documents go to which split.
    pub seed: u64,
    /// The shares of train, validation and test.
    pub split: SplitRatio,
    /// How many items are generated at once; not part of the identity.
    pub concurrency: u32,
    /// About how large a chunk is, in tokens.
    pub chunk_tokens: u32,
    /// The longest answer that is asked for, in tokens.
    pub max_output_tokens: u32,
    /// The largest file that is read.
    pub max_file_bytes: u64,
    /// The most files that a job takes.
    pub max_files: u32,
    /// The licence that the caller declares for all inputs.
    pub licence: Option<String>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            target: None,
            mix: Mix::default(),
            seed: 0,
            split: SplitRatio::default(),
            concurrency: 4,
            chunk_tokens: 900,
            max_output_tokens: 512,
            max_file_bytes: 64 * size::MIB,
            max_files: 10_000,
            licence: None,
        }
    }
}

impl Settings {
    /// Reads settings; of a key that is given twice the last value counts.
    ///
    /// # Errors
    ///
    /// [`SettingsError`] names the key, what is wrong with it and what is allowed.
    pub fn parse<K: AsRef<str>, V: AsRef<str>>(
        pairs: impl IntoIterator<Item = (K, V)>,
    ) -> Result<Self, SettingsError> {
        let mut settings = Self::default();
        for (key, value) in pairs {
            settings.set(key.as_ref().trim(), value.as_ref().trim())?;
        }
        Ok(settings)
    }

    fn set(&mut self, key: &str, value: &str) -> Result<(), SettingsError> {
        match key {
            "target" => self.target = Some(number(key, value, 1, u32::MAX)?),
            "mix" => self.mix = value.parse().map_err(|error| refused(key, value, error))?,
            "seed" => {
                self.seed = value.parse().map_err(|_| {
                    refused(key, value, format!("a whole number from 0 to {}", u64::MAX))
                })?;
            }
            "split" => self.split = value.parse().map_err(|error| refused(key, value, error))?,
            "concurrency" => self.concurrency = number(key, value, 1, 64)?,
            "chunk_tokens" => self.chunk_tokens = number(key, value, 50, 8000)?,
            "max_output_tokens" => self.max_output_tokens = number(key, value, 16, 8192)?,
            "max_file_bytes" => {
                self.max_file_bytes =
                    size::parse(value).map_err(|error| refused(key, value, error))?;
            }
            "max_files" => self.max_files = number(key, value, 1, 1_000_000)?,
            "licence" => self.licence = licence(value)?,
            _ => return Err(SettingsError::unknown(key, KEYS)),
        }
        Ok(())
    }

    /// The resolved configuration that decides the result, in a stable order; `concurrency`
    /// decides nothing and is not in it.
    #[must_use]
    pub fn identity(&self) -> Vec<(String, String)> {
        let auto = || "auto".to_owned();
        [
            ("target", self.target.map_or_else(auto, |target| target.to_string())),
            ("mix", self.mix.to_string()),
            ("seed", self.seed.to_string()),
            ("split", self.split.to_string()),
            ("chunk_tokens", self.chunk_tokens.to_string()),
            ("max_output_tokens", self.max_output_tokens.to_string()),
            ("max_file_bytes", self.max_file_bytes.to_string()),
            ("max_files", self.max_files.to_string()),
            ("licence", self.licence.clone().unwrap_or_default()),
        ]
        .map(|(key, value)| (key.to_owned(), value))
        .to_vec()
    }
}

fn number(key: &str, value: &str, least: u32, most: u32) -> Result<u32, SettingsError> {
    value
        .parse()
        .ok()
        .filter(|number| (least..=most).contains(number))
        .ok_or_else(|| refused(key, value, format!("a whole number from {least} to {most}")))
}

fn licence(value: &str) -> Result<Option<String>, SettingsError> {
    if value.len() > LICENCE_BYTES || value.chars().any(char::is_control) {
        let allowed = format!("one line of at most {LICENCE_BYTES} bytes");
        return Err(refused("licence", value, allowed));
    }
    Ok((!value.is_empty()).then(|| value.to_owned()))
}

fn refused(key: &str, value: &str, allowed: String) -> SettingsError {
    SettingsError::invalid(key, value, allowed)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(key: &str, value: &str) -> Result<Settings, SettingsError> {
        Settings::parse([(key, value)])
    }

    #[test]
    fn no_settings_are_the_default_ones() {
        let settings = Settings::parse(Vec::<(&str, &str)>::new()).unwrap();
        assert_eq!(settings, Settings::default());
        assert_eq!(settings.max_file_bytes, 67_108_864);
    }

    #[test]
    fn an_unknown_key_names_the_nearest_one() {
        let error = parse("chunk_token", "900").unwrap_err().to_string();
        assert!(error.contains("chunk_token") && error.contains("did you mean `chunk_tokens`"));
        assert!(!parse("zzzzzz", "1").unwrap_err().to_string().contains("did you mean"));
    }

    #[test]
    fn a_refused_value_names_key_value_and_what_is_allowed() {
        let error = parse("concurrency", "65").unwrap_err().to_string();
        assert!(error.contains("concurrency") && error.contains("65") && error.contains("1 to 64"));
        for (key, value) in [
            ("target", "0"),
            ("target", "-1"),
            ("seed", "x"),
            ("split", "80/10"),
            ("split", "80/10/11"),
            ("split", "0/50/50"),
            ("mix", "factual"),
            ("mix", "fractal=1"),
            ("mix", "factual=0"),
            ("max_file_bytes", "1 parsec"),
            ("max_output_tokens", "8193"),
            ("licence", "a\nb"),
        ] {
            assert!(parse(key, value).is_err(), "{key}={value}");
        }
    }

    #[test]
    fn sizes_may_have_a_suffix() {
        assert_eq!(parse("max_file_bytes", "2KiB").unwrap().max_file_bytes, 2048);
        assert_eq!(parse("max_file_bytes", "1 GiB").unwrap().max_file_bytes, 1 << 30);
        assert_eq!(parse("max_file_bytes", "17").unwrap().max_file_bytes, 17);
    }

    #[test]
    fn concurrency_is_not_part_of_the_identity() {
        let slow = parse("concurrency", "1").unwrap();
        assert_eq!(slow.identity(), Settings::default().identity());
        let other = parse("mix", "procedural=1, factual=1").unwrap();
        assert_ne!(other.identity(), Settings::default().identity());
        assert_eq!(other.identity()[1].1, "factual=1,procedural=1");
    }

    #[test]
    fn settings_survive_storage() {
        let settings = parse("mix", "definition=3,factual=1").unwrap();
        let stored = serde_json::to_string(&settings).unwrap();
        assert_eq!(serde_json::from_str::<Settings>(&stored).unwrap(), settings);
    }
}
