//! UTF-8 and UTF-16.

use super::decoded::Decoded;
use super::{Charset, mark_len};

/// Decodes UTF-8; bytes that are none become U+FFFD.
pub(super) fn decode_utf8(source: &[u8]) -> Decoded {
    let mut at = mark_len(source, Charset::UTF_8);
    let mut decoded = Decoded::new(Charset::UTF_8, at, source.len());
    for chunk in source.get(at..).unwrap_or_default().utf8_chunks() {
        for c in chunk.valid().chars() {
            decoded.push(c, at..at + c.len_utf8());
            at += c.len_utf8();
        }
        if !chunk.invalid().is_empty() {
            decoded.push_replacement(at..at + chunk.invalid().len());
            at += chunk.invalid().len();
        }
    }
    decoded
}

/// Decodes UTF-16 of either byte order; lone surrogates and an odd last byte become U+FFFD.
pub(super) fn decode_utf16(source: &[u8], charset: Charset) -> Decoded {
    let unit: fn([u8; 2]) -> u16 =
        if charset.0 == encoding_rs::UTF_16BE { u16::from_be_bytes } else { u16::from_le_bytes };
    let mut at = mark_len(source, charset);
    let mut decoded = Decoded::new(charset, at, source.len());
    let (pairs, odd) = source.get(at..).unwrap_or_default().as_chunks::<2>();
    for c in char::decode_utf16(pairs.iter().map(|pair| unit(*pair))) {
        match c {
            Ok(c) => {
                decoded.push(c, at..at + c.len_utf16() * 2);
                at += c.len_utf16() * 2;
            }
            Err(_) => {
                decoded.push_replacement(at..at + 2);
                at += 2;
            }
        }
    }
    if !odd.is_empty() {
        decoded.push_replacement(at..at + odd.len());
    }
    decoded
}
