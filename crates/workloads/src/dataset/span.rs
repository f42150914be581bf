//! Half-open byte ranges of an original file.

use serde::{Deserialize, Serialize};

/// A half-open range of bytes in an original file, before any decoding; a byte order mark counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Span {
    /// The first byte.
    pub start: u64,
    /// The byte after the last one.
    pub end: u64,
}

impl Span {
    /// The bytes from `start` up to, but not including, `end`.
    #[must_use]
    pub const fn new(start: u64, end: u64) -> Self {
        Self { start, end }
    }

    /// How many bytes it covers; 0 when it ends before it starts.
    #[must_use]
    pub const fn len(&self) -> u64 {
        self.end.saturating_sub(self.start)
    }

    /// Whether it covers nothing.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The smallest span that covers both.
    #[must_use]
    pub fn cover(self, other: Self) -> Self {
        Self { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// The bytes of `source` that it covers, cut to what there is.
    #[must_use]
    pub fn of(self, source: &[u8]) -> &[u8] {
        let at = |offset: u64| usize::try_from(offset).unwrap_or(usize::MAX).min(source.len());
        source.get(at(self.start)..at(self.end)).unwrap_or_default()
    }
}

/// An offset in memory as an offset in a file.
pub(crate) fn offset(at: usize) -> u64 {
    u64::try_from(at).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_past_the_end_covers_what_there_is() {
        assert_eq!(Span::new(1, 9).of(b"abc"), b"bc");
        assert_eq!(Span::new(7, 9).of(b"abc"), b"");
        assert_eq!(Span::new(2, 1).of(b"abc"), b"");
    }
}
