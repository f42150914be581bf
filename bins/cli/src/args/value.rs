//! Values on the command line, made valid while it is read.

use std::time::Duration;

use koinon::budget::{InvalidMoney, NanoUsd};
use koinon::domain::{HoldId, InvalidName, ScheduleName};

use crate::job_ref::{InvalidJobRef, JobRef};

/// Dollars.
pub(crate) fn money(text: &str) -> Result<NanoUsd, InvalidMoney> {
    text.parse()
}

/// A job: its id, or the beginning of it.
pub(crate) fn job(text: &str) -> Result<JobRef, InvalidJobRef> {
    text.parse()
}

/// A hold.
pub(crate) fn hold(text: &str) -> Result<HoldId, String> {
    text.parse().map_err(|_| "the id of a hold is a UUID, as `koinon ledger in-doubt` shows".into())
}

/// What a schedule is called.
pub(crate) fn schedule(text: &str) -> Result<ScheduleName, InvalidName> {
    ScheduleName::try_new(text)
}

/// A setting: `name=value`.
pub(crate) fn pair(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() => {
            Ok((name.trim().to_owned(), value.to_owned()))
        }
        _ => Err("a setting is written as name=value".to_owned()),
    }
}

/// A length of time: `500ms`, `30s`, `5m` or `2h`.
pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    let wrong = || "a length of time is a whole number with ms, s, m or h, such as 30s".to_owned();
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let number: u64 = number.parse().map_err(|_| wrong())?;
    let millis_of_one = match unit {
        "ms" => 1,
        "s" => 1_000,
        "m" => 60_000,
        "h" => 3_600_000,
        _ => return Err(wrong()),
    };
    number.checked_mul(millis_of_one).map(Duration::from_millis).ok_or_else(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_length_of_time_needs_a_unit() {
        assert_eq!(duration("30s"), Ok(Duration::from_secs(30)));
        assert_eq!(duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(duration("2h"), Ok(Duration::from_hours(2)));
        for text in ["", "30", "s", "-1s", "1.5s", "99999999999999999999s", "9999999999999999999h"]
        {
            assert!(duration(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_setting_may_have_no_value_but_needs_a_name() {
        assert_eq!(pair("licence="), Ok(("licence".to_owned(), String::new())));
        assert_eq!(pair("mix=a=1"), Ok(("mix".to_owned(), "a=1".to_owned())));
        assert!(pair("seed").is_err());
        assert!(pair("=7").is_err());
    }
}
