//! When a server wants to be asked again.

use std::time::Duration;

use reqwest::header::{HeaderMap, RETRY_AFTER};

use crate::RetryAfter;

/// A longer delay is taken for this one, so that arithmetic on it cannot overflow.
const LONGEST: Duration = Duration::from_hours(24);

/// When a server wants to be asked again: `Retry-After` in seconds or as a date, or the more exact
/// `retry-after-ms` that OpenAI and Azure send with it. What cannot be read says nothing.
///
/// Source: RFC 9110 section 10.2.3.
pub(super) fn read(headers: &HeaderMap) -> Option<RetryAfter> {
    let text = |name| headers.get(name)?.to_str().ok().map(str::trim);
    if let Some(delay) = text("retry-after-ms").and_then(|ms| delay(ms, 1000.0)) {
        return Some(RetryAfter::Delay(delay));
    }
    let value = text(RETRY_AFTER.as_str())?;
    delay(value, 1.0)
        .map(RetryAfter::Delay)
        .or_else(|| httpdate::parse_http_date(value).ok().map(RetryAfter::At))
}

fn delay(text: &str, in_a_second: f64) -> Option<Duration> {
    if !text.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let seconds = text.parse::<f64>().ok()? / in_a_second;
    Some(Duration::try_from_secs_f64(seconds).map_or(LONGEST, |delay| delay.min(LONGEST)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_from(name: &'static str, value: &str) -> Option<RetryAfter> {
        let mut headers = HeaderMap::new();
        headers.insert(name, value.parse().unwrap());
        read(&headers)
    }

    #[test]
    fn seconds_and_dates_are_read() {
        let at = httpdate::parse_http_date("Sunday, 06-Nov-94 08:49:37 GMT").unwrap();
        let seconds = |s| Some(RetryAfter::Delay(Duration::from_secs(s)));
        assert_eq!(read_from("retry-after", " 2 "), seconds(2));
        assert_eq!(read_from("retry-after", "0"), seconds(0));
        assert_eq!(
            read_from("retry-after", "1.5"),
            Some(RetryAfter::Delay(Duration::from_millis(1500)))
        );
        assert_eq!(
            read_from("retry-after", "Sun, 06 Nov 1994 08:49:37 GMT"),
            Some(RetryAfter::At(at))
        );
        assert_eq!(
            read_from("retry-after-ms", "250"),
            Some(RetryAfter::Delay(Duration::from_millis(250)))
        );
    }

    #[test]
    fn what_makes_no_sense_says_nothing_and_what_is_too_long_is_cut() {
        for value in ["", "-1", "soon", "nan", "inf", "1 day", "Sun, 99 Nov 1994 08:49:37 GMT"] {
            assert_eq!(read_from("retry-after", value), None, "{value}");
        }
        for value in ["999999999", "99999999999999999999999999", "1e300", "1e999"] {
            assert_eq!(read_from("retry-after", value), Some(RetryAfter::Delay(LONGEST)));
        }
    }
}
