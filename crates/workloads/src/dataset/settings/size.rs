//! Sizes in bytes, with or without a unit.

/// Bytes in a mebibyte.
pub(super) const MIB: u64 = 1024 * 1024;

/// Reads `67108864`, `512KiB`, `64 MiB` or `1GiB`; at least 1 byte.
pub(super) fn parse(text: &str) -> Result<u64, String> {
    let units = [("KiB", 1024), ("MiB", MIB), ("GiB", 1024 * MIB), ("B", 1)];
    let (digits, unit) = units
        .into_iter()
        .find_map(|(name, unit)| text.strip_suffix(name).map(|digits| (digits, unit)))
        .unwrap_or((text, 1));
    digits
        .trim()
        .parse::<u64>()
        .ok()
        .and_then(|number| number.checked_mul(unit))
        .filter(|bytes| *bytes >= 1)
        .ok_or_else(|| "bytes, at least 1, as a number or with KiB, MiB or GiB".to_owned())
}
