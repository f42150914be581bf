//! Lengths of time as text.

use std::time::Duration;

/// The units, the longest first, with their milliseconds.
const UNITS: [(&str, u64); 4] = [("h", 3_600_000), ("m", 60_000), ("s", 1_000), ("ms", 1)];

/// Reads a whole number and its unit, such as `2s`.
pub(super) fn read(text: &str) -> Option<Duration> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, unit) = text.split_at_checked(digits)?;
    let (_, millis) = UNITS.iter().find(|(name, _)| *name == unit)?;
    let millis = number.parse::<u64>().ok()?.checked_mul(*millis)?;
    Some(Duration::from_millis(millis))
}

/// Shows it in the longest unit of which it is a whole number.
pub(super) fn show(time: Duration) -> String {
    let millis = u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
    if millis == 0 {
        return "0s".to_owned();
    }
    let unit = UNITS.iter().find(|(_, size)| millis.is_multiple_of(*size));
    let (name, size) = unit.copied().unwrap_or(("ms", 1));
    format!("{}{name}", millis / size)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_of_time_are_read_and_shown() {
        for text in ["0s", "500ms", "2s", "90s", "1m", "1h", "168h"] {
            assert_eq!(read(text).map(show).as_deref(), Some(text));
        }
        assert_eq!(read("60s").map(show).as_deref(), Some("1m"));
        assert_eq!(read("0ms"), Some(Duration::ZERO));
    }

    #[test]
    fn what_has_no_number_or_no_unit_is_not_a_length_of_time() {
        for text in ["", "2", "s", "-1s", "1.5s", "2 s", "2S", "1d", "99999999999999999999s", "6é"]
        {
            assert_eq!(read(text), None, "{text}");
        }
        assert_eq!(read("18446744073709551615h"), None);
    }
}
