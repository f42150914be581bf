//! Telling text from everything else.

use crate::dataset::charset::Decoded;
use crate::dataset::sources::SkipReason;
use crate::dataset::span::offset;

/// Formats that begin as text does and are none.
const TEXT_LIKE: &[&[u8]] = &[b"%PDF-", b"{\\rtf", b"%!PS"];
/// How much is looked at for control bytes before a signature counts.
const SAMPLE: usize = 8192;

/// Whether the bytes have the signature of a format that is not text.
///
/// Signatures of two or three letters also begin ordinary sentences, so that they count only
/// where the beginning of the file is not clean text.
pub(super) fn is_known_binary(bytes: &[u8]) -> bool {
    if TEXT_LIKE.iter().any(|mark| bytes.starts_with(mark)) {
        return true;
    }
    let sample = bytes.get(..bytes.len().min(SAMPLE)).unwrap_or_default();
    if !sample.iter().any(|byte| is_control(*byte) || *byte == 0 || !byte.is_ascii()) {
        return false;
    }
    let is_utf16 = matches!(sample, [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..]);
    let is_clean = !sample.iter().any(|byte| is_control(*byte) || *byte == 0);
    infer::get(bytes).is_some_and(|kind| {
        kind.matcher_type() != infer::MatcherType::Text && !is_utf16 && !is_clean
    })
}

/// Control bytes that text does not have; escape (terminal colours) is let through.
const fn is_control(byte: u8) -> bool {
    matches!(byte, 1..=8 | 14..=26 | 28..=31 | 127)
}

/// Why decoded bytes are no usable text, if they are not.
pub(super) fn refuse(decoded: &Decoded) -> Option<SkipReason> {
    let text = decoded.text();
    if text.trim().is_empty() {
        return Some(if decoded.nuls() > 2 { SkipReason::Binary } else { SkipReason::Empty });
    }
    let size = offset(text.len());
    let private = text.chars().filter(|c| is_no_letter(*c)).count();
    if decoded.strays() > 2 + size / 50 || decoded.nuls() > 4 + size / 8 {
        return Some(SkipReason::Binary);
    }
    if decoded.replaced() > 2 + size / 20 || offset(private) > 2 + size / 50 {
        return Some(SkipReason::Undecodable);
    }
    None
}

/// Private use and noncharacters, which wrongly decoded UTF-16 is full of.
const fn is_no_letter(c: char) -> bool {
    matches!(c, '\u{e000}'..='\u{f8ff}' | '\u{f0000}'..)
        || matches!(c, '\u{fdd0}'..='\u{fdef}' | '\u{fffe}' | '\u{ffff}')
}
