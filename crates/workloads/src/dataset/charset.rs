//! Text encodings: how they are found, and decoding that knows where each character came from.

mod decoded;
mod detect;
mod legacy;
mod unicode;

use encoding_rs::Encoding;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

pub use decoded::Decoded;
pub use detect::{Detected, Undecodable, detect};

use crate::dataset::span::{Span, offset};

/// A text encoding, named as in the WHATWG Encoding Standard (`UTF-8`, `windows-1252`, `UTF-16LE`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Charset(&'static Encoding);

impl Charset {
    /// UTF-8, with or without a byte order mark.
    pub const UTF_8: Self = Self(encoding_rs::UTF_8);

    /// Its name, as rows give it.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.0.name()
    }

    /// How many bytes `text` takes in this encoding.
    ///
    /// Exact for the quotable text of a [`Decoded`], whose characters are all written in the
    /// encoding's usual way.
    #[must_use]
    pub fn source_len(self, text: &str) -> u64 {
        let len = if self.0 == encoding_rs::UTF_8 {
            text.len()
        } else if self.is_utf16() {
            text.encode_utf16().count() * 2
        } else if self.0.is_single_byte() {
            text.chars().count()
        } else {
            self.0.encode(text).0.len()
        };
        offset(len)
    }

    fn is_utf16(self) -> bool {
        self.0 == encoding_rs::UTF_16LE || self.0 == encoding_rs::UTF_16BE
    }
}

impl Serialize for Charset {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for Charset {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        Encoding::for_label(name.as_bytes())
            .map(Self)
            .ok_or_else(|| de::Error::custom(format_args!("no encoding is named {name:?}")))
    }
}

/// What stands at `span` in the original file.
#[must_use]
pub fn source_text(source: &[u8], charset: Charset, span: Span) -> String {
    charset.0.decode_without_bom_handling(span.of(source)).0.into_owned()
}

/// Decodes a whole file; a byte order mark is left out of the text and counted in the offsets.
#[must_use]
pub fn decode(source: &[u8], charset: Charset) -> Decoded {
    if charset.0 == encoding_rs::UTF_8 {
        unicode::decode_utf8(source)
    } else if charset.is_utf16() {
        unicode::decode_utf16(source, charset)
    } else if charset.0.is_single_byte() {
        legacy::decode_single_byte(source, charset)
    } else {
        legacy::decode_multi_byte(source, charset)
    }
}

/// How many bytes the byte order mark takes; a UTF-8 mark may stand before any encoding's text.
fn mark_len(source: &[u8], charset: Charset) -> usize {
    match source {
        [0xEF, 0xBB, 0xBF, ..] if !charset.is_utf16() => 3,
        [0xFF, 0xFE, ..] if charset.0 == encoding_rs::UTF_16LE => 2,
        [0xFE, 0xFF, ..] if charset.0 == encoding_rs::UTF_16BE => 2,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::text::collapse_whitespace;

    fn check(source: &[u8], charset: Charset) {
        let decoded = decode(source, charset);
        for range in decoded.quotable(0..decoded.text().len()) {
            let text = &decoded.text()[range.clone()];
            let span = decoded.span(range);
            assert_eq!(source_text(source, charset, span), text);
            assert_eq!(charset.source_len(text), span.len());
        }
    }

    #[test]
    fn quotable_text_is_what_stands_at_its_span_in_every_encoding() {
        let text =
            "Größe: naïve café – 日本語のテスト。 Ελληνικά 😀 end.\nSecond line. ".repeat(200);
        for encoding in [
            encoding_rs::UTF_8,
            encoding_rs::WINDOWS_1252,
            encoding_rs::SHIFT_JIS,
            encoding_rs::EUC_JP,
            encoding_rs::GB18030,
            encoding_rs::GBK,
            encoding_rs::BIG5,
            encoding_rs::EUC_KR,
            encoding_rs::KOI8_R,
        ] {
            check(&encoding.encode(&text).0, Charset(encoding));
        }
        let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        check(&little, Charset(encoding_rs::UTF_16LE));
        let big: Vec<u8> = "\u{feff}"
            .chars()
            .chain(text.chars())
            .collect::<String>()
            .encode_utf16()
            .flat_map(u16::to_be_bytes)
            .collect();
        check(&big, Charset(encoding_rs::UTF_16BE));
    }

    #[test]
    fn removed_nuls_keep_the_spans_right() {
        let source = "one\0two\0\0 three é four".as_bytes();
        let decoded = decode(source, Charset::UTF_8);
        assert_eq!(decoded.text(), "onetwo three é four");
        assert_eq!((decoded.nuls(), decoded.first_nul()), (3, Some(3)));
        let ranges = decoded.quotable(0..decoded.text().len());
        let texts: Vec<_> = ranges
            .iter()
            .map(|r| source_text(source, Charset::UTF_8, decoded.span(r.clone())))
            .collect();
        assert_eq!(texts, ["one", "two", " three é four"]);
        assert_eq!(decoded.span(0..decoded.text().len()), Span::new(0, offset(source.len())));
    }

    #[test]
    fn a_mark_counts_in_the_offsets_and_not_in_the_text() {
        let source = b"\xEF\xBB\xBFcaf\xE9 au lait";
        let decoded = decode(source, Charset(encoding_rs::WINDOWS_1252));
        assert_eq!(decoded.text(), "café au lait");
        assert_eq!(decoded.span(0..5), Span::new(3, 7));
    }

    #[test]
    fn a_charset_is_stored_by_name() {
        let stored = serde_json::to_string(&Charset(encoding_rs::WINDOWS_1252)).unwrap();
        assert_eq!(stored, "\"windows-1252\"");
        assert_eq!(serde_json::from_str::<Charset>(&stored).unwrap().name(), "windows-1252");
        assert!(serde_json::from_str::<Charset>("\"klingon\"").is_err());
    }

    proptest::proptest! {
        #[test]
        fn any_bytes_decode_with_exact_spans(source: Vec<u8>, which in 0_usize..8) {
            let encoding = [
                encoding_rs::UTF_8, encoding_rs::UTF_16LE, encoding_rs::UTF_16BE,
                encoding_rs::WINDOWS_1252, encoding_rs::SHIFT_JIS, encoding_rs::GB18030,
                encoding_rs::BIG5, encoding_rs::EUC_JP,
            ][which];
            check(&source, Charset(encoding));
        }

        #[test]
        fn collapsing_is_stable(text: String) {
            let once = collapse_whitespace(&text);
            assert_eq!(collapse_whitespace(&once), once);
        }
    }
}
