//! Encodings older than Unicode.

use std::ops::Range;

use encoding_rs::{DecoderResult, Encoding};

use super::decoded::Decoded;
use super::{Charset, mark_len};

/// Decodes an encoding whose every character is one byte.
pub(super) fn decode_single_byte(source: &[u8], charset: Charset) -> Decoded {
    let table: Vec<Option<char>> = (0..=u8::MAX)
        .map(|byte| {
            let bytes = [byte];
            let text = charset.0.decode_without_bom_handling_and_without_replacement(&bytes)?;
            text.chars().next()
        })
        .collect();
    let first = mark_len(source, charset);
    let mut decoded = Decoded::new(charset, first, source.len() + source.len() / 8);
    for (at, byte) in source.iter().enumerate().skip(first) {
        match table.get(usize::from(*byte)).copied().flatten() {
            Some(c) => decoded.push(c, at..at + 1),
            None => decoded.push_replacement(at..at + 1),
        }
    }
    decoded
}

/// Decodes an encoding of one to four bytes a character.
///
/// The decoder is fed byte by byte, so that what comes out tells which bytes it came from.
pub(super) fn decode_multi_byte(source: &[u8], charset: Charset) -> Decoded {
    let mut start = mark_len(source, charset);
    let mut decoded = Decoded::new(charset, start, source.len() + source.len() / 2);
    let mut decoder = charset.0.new_decoder_without_bom_handling();
    let mut out = [0_u8; 32];
    let mut at = start;
    loop {
        let input = source.get(at..(at + 1).min(source.len())).unwrap_or_default();
        let is_last = input.is_empty();
        let (result, read, written) =
            decoder.decode_to_utf8_without_replacement(input, &mut out, is_last);
        at += read;
        let text = out.get(..written).and_then(|bytes| std::str::from_utf8(bytes).ok());
        let malformed_end = match result {
            DecoderResult::Malformed(_, after) => Some(at.saturating_sub(usize::from(after))),
            DecoderResult::InputEmpty | DecoderResult::OutputFull => None,
        };
        if let Some(text) = text.filter(|text| !text.is_empty()) {
            // Text that comes out together with a malformed sequence came before it.
            let end = if malformed_end.is_some() { (start + text.len()).min(at) } else { at };
            push_all(&mut decoded, text, start..end);
            start = end;
        }
        if let Some(end) = malformed_end {
            decoded.push_replacement(start..end.max(start));
            start = end.max(start);
        }
        if is_last && matches!(result, DecoderResult::InputEmpty) {
            return decoded;
        }
    }
}

/// Adds what one step of the decoder gave for the bytes of `source`.
fn push_all(decoded: &mut Decoded, text: &str, source: Range<usize>) {
    let mut start = source.start;
    if text.is_ascii() && text.len() == source.len() {
        for c in text.chars() {
            decoded.push(c, start..start + 1);
            start += 1;
        }
        return;
    }
    let mut chars = text.chars();
    if let (Some(c), None) = (chars.next(), chars.next()) {
        if usual_len(decoded.charset().0, c) == Some(source.len()) {
            decoded.push(c, source);
        } else {
            decoded.push_odd(c, source);
        }
        return;
    }
    for c in text.chars() {
        decoded.push_odd(c, start..source.end);
        start = source.end;
    }
}

/// How many bytes the encoder writes for `c`.
fn usual_len(encoding: &'static Encoding, c: char) -> Option<usize> {
    let mut utf8 = [0_u8; 4];
    let (bytes, _, unmappable) = encoding.encode(c.encode_utf8(&mut utf8));
    (!unmappable).then_some(bytes.len())
}
