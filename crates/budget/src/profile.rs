//! Price profiles: dated, immutable tables of prices.

use std::collections::BTreeMap;
use std::fmt;

use koinon_domain::Timestamp;
use serde::Deserialize;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use crate::{NanoUsd, Price};

/// The name of a price profile.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProfileId(String);

impl ProfileId {
    /// The id that a stored row names.
    #[must_use]
    pub const fn from_stored(id: String) -> Self {
        Self(id)
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ProfileId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A dated table of prices.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Profile {
    id: ProfileId,
    effective_from: Timestamp,
    prices: BTreeMap<(String, String), Price>,
}

/// The text is not a price profile.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InvalidProfile {
    /// Not TOML, or not of the form of a profile.
    #[error("not a price profile: {0}")]
    Form(String),
    /// The id is empty or too long, or has a control character.
    #[error("`id` must have 1 to 100 characters, and no control characters")]
    Id,
    /// The name of a provider or of a model is empty or too long, or has a control character.
    #[error(
        "{name:?}: a `provider` or `model` must have 1 to 200 characters, and no control characters"
    )]
    Name {
        /// The name.
        name: String,
    },
    /// `effective_from` is no instant.
    #[error("`effective_from` must be an instant such as 2026-11-01T00:00:00Z")]
    EffectiveFrom,
    /// A price is no amount of dollars.
    #[error("{provider}/{model}, {field}: {source}")]
    Price {
        /// The provider.
        provider: String,
        /// The model.
        model: String,
        /// The field.
        field: &'static str,
        /// What is wrong with the amount.
        source: crate::InvalidMoney,
    },
    /// A model stands there twice.
    #[error("{provider}/{model} has two prices")]
    Twice {
        /// The provider.
        provider: String,
        /// The model.
        model: String,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    id: String,
    effective_from: String,
    #[serde(default)]
    price: Vec<Row>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    provider: String,
    model: String,
    input_usd_per_million: String,
    cached_input_usd_per_million: Option<String>,
    output_usd_per_million: String,
}

impl Profile {
    /// Reads a profile from TOML.
    ///
    /// # Errors
    ///
    /// [`InvalidProfile`] says what is wrong and where.
    pub fn from_toml(text: &str) -> Result<Self, InvalidProfile> {
        let file: File =
            toml::from_str(text).map_err(|error| InvalidProfile::Form(error.to_string()))?;
        if !is_name(&file.id, 100) {
            return Err(InvalidProfile::Id);
        }
        let effective_from = OffsetDateTime::parse(&file.effective_from, &Rfc3339)
            .ok()
            .and_then(|at| i64::try_from(at.unix_timestamp_nanos() / 1_000).ok())
            .map(Timestamp::from_micros)
            .ok_or(InvalidProfile::EffectiveFrom)?;
        let mut prices = BTreeMap::new();
        for row in file.price {
            if let Some(name) =
                [&row.provider, &row.model].into_iter().find(|name| !is_name(name, 200))
            {
                return Err(InvalidProfile::Name { name: name.clone() });
            }
            let price = row.price()?;
            let key = (row.provider, row.model);
            if prices.contains_key(&key) {
                return Err(InvalidProfile::Twice { provider: key.0, model: key.1 });
            }
            prices.insert(key, price);
        }
        Ok(Self { id: ProfileId(file.id), effective_from, prices })
    }

    /// Its name.
    #[must_use]
    pub const fn id(&self) -> &ProfileId {
        &self.id
    }

    /// The instant from which it holds.
    #[must_use]
    pub const fn effective_from(&self) -> Timestamp {
        self.effective_from
    }

    /// The price of a model; `*` as the model of a profile stands for every model of its provider
    /// that has no row of its own.
    #[must_use]
    pub fn price(&self, provider: &str, model: &str) -> Option<Price> {
        let key = |model: &str| (provider.to_owned(), model.to_owned());
        self.prices.get(&key(model)).or_else(|| self.prices.get(&key("*"))).copied()
    }

    /// Every price, by provider and model.
    pub fn prices(&self) -> impl Iterator<Item = (&str, &str, Price)> {
        self.prices.iter().map(|((provider, model), price)| (&**provider, &**model, *price))
    }
}

/// Whether a text is a name that every store keeps as it is.
fn is_name(text: &str, max_chars: usize) -> bool {
    !text.trim().is_empty()
        && text.chars().count() <= max_chars
        && !text.chars().any(char::is_control)
}

impl Row {
    fn price(&self) -> Result<Price, InvalidProfile> {
        let money = |field: &'static str, text: &str| {
            text.parse::<NanoUsd>().map_err(|source| InvalidProfile::Price {
                provider: self.provider.clone(),
                model: self.model.clone(),
                field,
                source,
            })
        };
        let cached = self
            .cached_input_usd_per_million
            .as_deref()
            .map(|text| money("cached_input_usd_per_million", text))
            .transpose()?;
        Ok(Price::per_million(
            money("input_usd_per_million", &self.input_usd_per_million)?,
            cached,
            money("output_usd_per_million", &self.output_usd_per_million)?,
        ))
    }
}

/// The profiles that a process knows.
#[derive(Debug, Clone, Default)]
pub struct Profiles(Vec<Profile>);

impl Profiles {
    /// The profiles in the order of their weight: a later one overrides an earlier one.
    #[must_use]
    pub const fn new(profiles: Vec<Profile>) -> Self {
        Self(profiles)
    }

    /// The profiles.
    #[must_use]
    pub fn all(&self) -> &[Profile] {
        &self.0
    }

    /// The price of a model at an instant, and the profile that it stands in: of the profiles in
    /// effect that price the model, the weightiest.
    #[must_use]
    pub fn price(&self, provider: &str, model: &str, at: Timestamp) -> Option<(&ProfileId, Price)> {
        self.0
            .iter()
            .rev()
            .filter(|profile| profile.effective_from <= at)
            .find_map(|profile| Some((&profile.id, profile.price(provider, model)?)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ACME: &str = r#"
        id = "acme-2026-11"
        effective_from = "2026-11-01T00:00:00Z"
        [[price]]
        provider = "openai"
        model = "gpt-4o-mini"
        input_usd_per_million = "0.15"
        cached_input_usd_per_million = "0.075"
        output_usd_per_million = "0.60"
    "#;

    #[test]
    fn a_name_that_no_store_keeps_is_refused() {
        let row = |provider: &str, model: &str| {
            format!(
                "id = \"a\"\neffective_from = \"2026-11-01T00:00:00Z\"\n[[price]]\nprovider = \"{provider}\"\n\
                 model = \"{model}\"\ninput_usd_per_million = \"1\"\noutput_usd_per_million = \"1\"\n"
            )
        };
        assert!(Profile::from_toml(&row("p", "m")).is_ok());
        for odd in ["", " ", "a\\u0000b", "a\\tb", &"x".repeat(201)] {
            for text in [row(odd, "m"), row("p", odd)] {
                let error = Profile::from_toml(&text).unwrap_err();
                assert!(matches!(error, InvalidProfile::Name { .. }), "{odd:?}: {error:?}");
            }
        }
        let id = "id = \"a\\u0000\"\neffective_from = \"2026-11-01T00:00:00Z\"\n";
        assert_eq!(Profile::from_toml(id), Err(InvalidProfile::Id));
    }

    #[test]
    fn a_profile_prices_its_models_from_its_date_on() {
        let profiles = Profiles::new(vec![Profile::from_toml(ACME).unwrap()]);
        let from = profiles.all()[0].effective_from();
        let (id, _) = profiles.price("openai", "gpt-4o-mini", from).unwrap();
        assert_eq!(id.as_str(), "acme-2026-11");
        assert_eq!(profiles.price("openai", "another", from), None);
        let before = Timestamp::from_micros(from.as_micros() - 1);
        assert_eq!(profiles.price("openai", "gpt-4o-mini", before), None);
    }

    #[test]
    fn a_wrong_profile_is_refused_with_the_place() {
        let negative = ACME.replace("0.60", "-0.60");
        let error = Profile::from_toml(&negative).unwrap_err().to_string();
        assert!(error.starts_with("openai/gpt-4o-mini, output_usd_per_million"), "{error}");
        assert!(Profile::from_toml(&ACME.replace("2026-11-01T", "yesterday")).is_err());
        assert!(Profile::from_toml(&ACME.replace("model", "modle")).is_err());
        assert!(
            Profile::from_toml(&format!("{ACME}{}", ACME.split_once("Z\"").unwrap().1)).is_err()
        );
    }
}
