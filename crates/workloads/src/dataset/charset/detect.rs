//! Which encoding a file is written in.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};

use super::{Charset, mark_len};
use crate::dataset::span::offset;

/// How much of a file is looked at to tell UTF-16 without a byte order mark.
const UTF16_SAMPLE: usize = 4096;
/// How much of a file, from its first byte above 127, is looked at to tell older encodings.
const LEGACY_SAMPLE: usize = 1024 * 1024;

/// Encodings of Latin letters that a few letters cannot tell from windows-1252, the commonest.
const LATIN: [&encoding_rs::Encoding; 9] = [
    encoding_rs::ISO_8859_2,
    encoding_rs::ISO_8859_3,
    encoding_rs::ISO_8859_4,
    encoding_rs::ISO_8859_10,
    encoding_rs::ISO_8859_13,
    encoding_rs::WINDOWS_1250,
    encoding_rs::WINDOWS_1254,
    encoding_rs::WINDOWS_1257,
    encoding_rs::WINDOWS_1258,
];
/// How many letters beyond ASCII it takes to believe in one of [`LATIN`].
const LATIN_EVIDENCE: usize = 12;

/// An encoding, and whether a byte order mark promised another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Detected {
    /// The encoding.
    pub charset: Charset,
    /// The first byte that is not UTF-8 although a UTF-8 byte order mark stands at the start.
    pub mark_broken_at: Option<u64>,
}

/// The bytes are text in no encoding that is known here.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct Undecodable {
    /// Why, as half a sentence.
    pub reason: &'static str,
}

/// Finds the encoding of `source`.
///
/// # Errors
///
/// [`Undecodable`] for UTF-32, which no decoder here reads.
pub fn detect(source: &[u8]) -> Result<Detected, Undecodable> {
    let sure = |charset| Ok(Detected { charset, mark_broken_at: None });
    match source {
        [0xFF, 0xFE, 0, 0, ..] | [0, 0, 0xFE, 0xFF, ..] => {
            return Err(Undecodable { reason: "UTF-32 is not supported" });
        }
        [0xFF, 0xFE, ..] => return sure(Charset(encoding_rs::UTF_16LE)),
        [0xFE, 0xFF, ..] => return sure(Charset(encoding_rs::UTF_16BE)),
        _ => {}
    }
    let mark = mark_len(source, Charset::UTF_8);
    let body = source.get(mark..).unwrap_or_default();
    if mark == 0
        && let Some(charset) = utf16_by_zeros(body)
    {
        return sure(charset);
    }
    let census = Census::of(body);
    let Some(first_invalid) = census.first_invalid else { return sure(Charset::UTF_8) };
    let mark_broken_at = (mark > 0).then(|| offset(mark + first_invalid));
    let charset = if census.is_damaged_utf8() { Charset::UTF_8 } else { legacy(body) };
    Ok(Detected { charset, mark_broken_at })
}

/// How a file looks as UTF-8.
#[derive(Default)]
struct Census {
    beyond_ascii: usize,
    invalid: usize,
    first_invalid: Option<usize>,
}

impl Census {
    fn of(body: &[u8]) -> Self {
        let mut census = Self::default();
        let mut at = 0;
        for chunk in body.utf8_chunks() {
            let text = chunk.valid();
            census.beyond_ascii += text.bytes().filter(|byte| *byte >= 0xC0).count();
            at += text.len();
            if !chunk.invalid().is_empty() {
                census.invalid += 1;
                census.first_invalid.get_or_insert(at);
                at += chunk.invalid().len();
            }
        }
        census
    }

    /// Valid sequences do not come about by chance: a text with mostly such is damaged UTF-8.
    const fn is_damaged_utf8(&self) -> bool {
        self.beyond_ascii > 2 * self.invalid
    }
}

/// UTF-16 without a mark: mostly Latin text has a zero in every other byte.
fn utf16_by_zeros(body: &[u8]) -> Option<Charset> {
    let (pairs, _) = body.get(..body.len().min(UTF16_SAMPLE))?.as_chunks::<2>();
    if pairs.len() < 2 {
        return None;
    }
    let high = pairs.iter().filter(|pair| pair[0] == 0 && pair[1] != 0).count();
    let low = pairs.iter().filter(|pair| pair[1] == 0 && pair[0] != 0).count();
    let mostly = |count: usize| count * 10 >= pairs.len() * 7;
    let rarely = |count: usize| count * 50 <= pairs.len();
    if mostly(low) && rarely(high) {
        Some(Charset(encoding_rs::UTF_16LE))
    } else if mostly(high) && rarely(low) {
        Some(Charset(encoding_rs::UTF_16BE))
    } else {
        None
    }
}

fn legacy(body: &[u8]) -> Charset {
    let first = body.iter().position(|byte| !byte.is_ascii()).unwrap_or(0);
    // One byte before gives the detector the left neighbour of the first letter.
    let from = first.saturating_sub(1);
    let sample = body.get(from..body.len().min(from + LEGACY_SAMPLE)).unwrap_or_default();
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(sample, true);
    let guess = detector.guess(None, Utf8Detection::Deny);
    let evidence = sample.iter().filter(|byte| !byte.is_ascii()).count();
    if LATIN.contains(&guess) && evidence < LATIN_EVIDENCE && sample.iter().all(is_western) {
        return Charset(encoding_rs::WINDOWS_1252);
    }
    Charset(guess)
}

/// Whether the byte is, as windows-1252, a letter or mark of a western European text.
const fn is_western(byte: &u8) -> bool {
    byte.is_ascii()
        || *byte >= 0xC0
        || matches!(*byte, 0x80 | 0x82..=0x85 | 0x91..=0x99 | 0xA0..=0xBF)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(source: &[u8]) -> &'static str {
        detect(source).unwrap().charset.name()
    }

    #[test]
    fn unicode_is_told_with_and_without_a_mark() {
        assert_eq!(name("plain, naïve".as_bytes()), "UTF-8");
        assert_eq!(name("\u{feff}naïve".as_bytes()), "UTF-8");
        let little: Vec<u8> = "Ein Satz.".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(name(&little), "UTF-16LE");
        let big: Vec<u8> = "\u{feff}日本".encode_utf16().flat_map(u16::to_be_bytes).collect();
        assert_eq!(name(&big), "UTF-16BE");
        assert!(detect(b"\xFF\xFE\0\0a\0\0\0").is_err());
    }

    #[test]
    fn latin_1_behind_a_utf_8_mark_is_found_with_its_place() {
        for text in [
            "id,city\n1,caf\u{e9}\n",
            "1,M\u{fc}nchen\n",
            "a,Sm\u{f8}rrebr\u{f8}d\n",
            "a,na\u{ef}ve\n",
            "x,\u{c5}ngstr\u{f6}m",
            "Se\u{f1}or,ma\u{f1}ana",
            "Stra\u{df}e",
            "d\u{e9}j\u{e0} vu",
            "\u{a9} 2020 \u{b0}C",
        ] {
            let latin = encoding_rs::WINDOWS_1252.encode(text).0;
            let source = [b"\xEF\xBB\xBF", latin.as_ref()].concat();
            let detected = detect(&source).unwrap();
            assert_eq!(detected.charset.name(), "windows-1252", "{text}");
            assert!(detected.mark_broken_at.is_some());
        }
    }

    #[test]
    fn one_bad_byte_in_utf_8_does_not_turn_the_rest_into_latin_1() {
        let source = [" größe äpfel ".as_bytes(), b"\xE9", b" end"].concat();
        assert_eq!(name(&source), "UTF-8");
    }

    #[test]
    fn older_encodings_are_told_apart() {
        let russian = "Съешь же ещё этих мягких французских булок, да выпей чаю.";
        assert_eq!(name(&encoding_rs::WINDOWS_1251.encode(russian).0), "windows-1251");
        let japanese = "これは日本語の文章です。文字コードの判定を試しています。";
        assert_eq!(name(&encoding_rs::SHIFT_JIS.encode(japanese).0), "Shift_JIS");
    }
}
