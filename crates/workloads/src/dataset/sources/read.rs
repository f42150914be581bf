//! Reading an input's bytes, never more than allowed.

use std::fs::File;
use std::io::{self, Read};

use super::{Location, SkipReason};

/// Reads an input completely.
///
/// # Errors
///
/// [`SkipReason::FileTooLarge`] when it has more than `max_file_bytes`, also when it grew since it
/// was listed; [`SkipReason::Unreadable`] when reading fails.
pub fn read(location: &Location, max_file_bytes: u64) -> Result<Vec<u8>, SkipReason> {
    match location {
        Location::File(path) => {
            let file = File::open(path).map_err(|_| SkipReason::Unreadable)?;
            read_bounded(file, max_file_bytes)
        }
        Location::Stdin => read_bounded(io::stdin().lock(), max_file_bytes),
    }
}

/// Reads `reader` to its end, at most `max_bytes`.
///
/// # Errors
///
/// As [`read`].
pub fn read_bounded(reader: impl Read, max_bytes: u64) -> Result<Vec<u8>, SkipReason> {
    let mut bytes = Vec::new();
    let read = reader.take(max_bytes.saturating_add(1)).read_to_end(&mut bytes);
    match read.map(crate::dataset::span::offset) {
        Ok(count) if count > max_bytes => Err(SkipReason::FileTooLarge),
        Ok(_) => Ok(bytes),
        Err(_) => Err(SkipReason::Unreadable),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_grew_past_the_limit_is_too_large() {
        assert_eq!(read_bounded(&b"12345"[..], 5), Ok(b"12345".to_vec()));
        assert_eq!(read_bounded(&b"123456"[..], 5), Err(SkipReason::FileTooLarge));
        assert_eq!(read_bounded(io::repeat(b'x'), 5), Err(SkipReason::FileTooLarge));
    }
}
