//! A field of the settings: how its value is read, checked and shown.

use std::net::SocketAddr;
use std::ops::RangeInclusive;
use std::time::Duration;

use figment::value::Value;

use super::{OnInDoubt, ProviderKind, duration, secret};

/// A field and what it may hold.
pub(super) enum Field<'s> {
    Text(&'s mut String),
    Address(&'s mut Option<String>),
    /// The name of an environment variable.
    Variable(&'s mut Option<String>),
    Switch(&'s mut bool),
    /// An address of this machine.
    Listen(&'s mut Option<SocketAddr>),
    Count(&'s mut u32, RangeInclusive<u32>),
    Limit(&'s mut Option<u32>, RangeInclusive<u32>),
    Time(&'s mut Duration, RangeInclusive<Duration>),
    Deadline(&'s mut Option<Duration>, RangeInclusive<Duration>),
    /// The same, and what a shorter time would break.
    Grace(&'s mut Option<Duration>, RangeInclusive<Duration>, &'static str),
    InDoubt(&'s mut OnInDoubt),
    Kind(&'s mut ProviderKind),
}

impl Field<'_> {
    /// Takes a value; `None` if it may not be this one.
    pub(super) fn set(self, value: &Value) -> Option<()> {
        match self {
            Self::Text(field) => *field = text(value)?.to_owned(),
            Self::Address(field) => *field = Some(text(value)?.to_owned()),
            Self::Variable(field) => *field = Some(text(value)?.to_owned()),
            Self::Switch(field) => *field = value.to_bool()?,
            Self::Listen(field) => *field = Some(text(value)?.parse().ok()?),
            Self::Count(field, _) => *field = count(value)?,
            Self::Limit(field, _) => *field = Some(count(value)?),
            Self::Time(field, _) => *field = duration::read(text(value)?)?,
            Self::Deadline(field, _) | Self::Grace(field, ..) => {
                *field = Some(duration::read(text(value)?)?);
            }
            Self::InDoubt(field) => {
                *field = match text(value)? {
                    "retry" => OnInDoubt::Retry,
                    "pause" => OnInDoubt::Pause,
                    _ => return None,
                }
            }
            Self::Kind(field) => {
                *field = match text(value)? {
                    "openai" => ProviderKind::OpenAi,
                    _ => return None,
                }
            }
        }
        Some(())
    }

    /// Whether what it holds is in its range.
    pub(super) fn holds(&self) -> bool {
        match self {
            Self::Text(field) => !field.trim().is_empty(),
            Self::Address(field) => field.as_ref().is_none_or(|text| !text.trim().is_empty()),
            Self::Variable(field) => field.as_deref().is_none_or(is_variable),
            Self::Switch(_) | Self::Listen(_) | Self::InDoubt(_) | Self::Kind(_) => true,
            Self::Count(field, range) => range.contains(field),
            Self::Limit(field, range) => field.is_none_or(|count| range.contains(&count)),
            Self::Time(field, range) => range.contains(&**field),
            Self::Deadline(field, range) | Self::Grace(field, range, _) => {
                field.is_none_or(|time| range.contains(&time))
            }
        }
    }

    /// What it may be, to follow "must be".
    pub(super) fn allowed(&self) -> String {
        match self {
            Self::Text(_) | Self::Address(_) => "a text that is not empty".to_owned(),
            Self::Variable(_) => {
                "the name of an environment variable in capital letters, digits and \
                                  underscores, never the key itself"
                    .to_owned()
            }
            Self::Switch(_) => "true or false".to_owned(),
            Self::Listen(_) => "an IP address and a port, such as 127.0.0.1:9464".to_owned(),
            Self::Count(_, range) | Self::Limit(_, range) => {
                format!("a whole number from {} to {}", range.start(), range.end())
            }
            Self::Time(_, range) | Self::Deadline(_, range) => format!(
                "a time from {} to {}, such as 2s or 500ms",
                duration::show(*range.start()),
                duration::show(*range.end())
            ),
            Self::Grace(_, range, why) => format!(
                "a time from {} to {}, because {why}",
                duration::show(*range.start()),
                duration::show(*range.end())
            ),
            Self::InDoubt(_) => "retry or pause".to_owned(),
            Self::Kind(_) => "openai".to_owned(),
        }
    }

    /// Whether a wrong value may be a secret that somebody put in the wrong place.
    pub(super) const fn may_hold_secret(&self) -> bool {
        matches!(self, Self::Variable(_))
    }

    /// What it holds, as it would be written.
    pub(super) fn show(&self) -> String {
        let none = || "none".to_owned();
        match self {
            Self::Text(field) => secret::mask(field),
            Self::Address(field) => field.as_deref().map_or_else(none, secret::mask),
            Self::Variable(field) => field.as_ref().map_or_else(none, String::clone),
            Self::Switch(field) => field.to_string(),
            Self::Listen(field) => field.map_or_else(none, |address| address.to_string()),
            Self::Count(field, _) => field.to_string(),
            Self::Limit(field, _) => field.map_or_else(none, |count| count.to_string()),
            Self::Time(field, _) => duration::show(**field),
            Self::Deadline(field, _) | Self::Grace(field, ..) => {
                field.map_or_else(none, duration::show)
            }
            Self::InDoubt(OnInDoubt::Retry) => "retry".to_owned(),
            Self::InDoubt(OnInDoubt::Pause) => "pause".to_owned(),
            Self::Kind(ProviderKind::OpenAi) => "openai".to_owned(),
        }
    }
}

fn text(value: &Value) -> Option<&str> {
    value.as_str()
}

fn count(value: &Value) -> Option<u32> {
    match value {
        Value::Num(_, number) => number.to_i128().and_then(|number| u32::try_from(number).ok()),
        _ => None,
    }
}

fn is_variable(text: &str) -> bool {
    let fits = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_';
    text.bytes().all(fits) && text.bytes().next().is_some_and(|byte| !byte.is_ascii_digit())
}
