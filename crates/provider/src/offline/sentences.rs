//! Splits running text into sentences.

use unicode_segmentation::UnicodeSegmentation as _;

use super::vocabulary::ABBREVIATIONS;

/// A longer sentence is cut here, at the last white space before it: it is no sentence, then, but
/// still a piece of the text.
const LONGEST: usize = 600;

/// The sentences of a block, without the white space around them.
///
/// Source: Unicode Standard Annex 29, sentence boundaries; line ends within the block count as spaces,
/// and there is none after an abbreviation or within a word.
pub(super) fn split(block: &str) -> Vec<&str> {
    // Byte for byte, so that places in the one are places in the other. A letter stands for the marks
    // of code, which may begin a sentence whatever follows them.
    let flat = block.replace(['\n', '\r', '\t'], " ").replace('`', "X");
    let mut sentences = Vec::new();
    let mut start = 0;
    for (at, piece) in flat.split_sentence_bound_indices() {
        let end = at + piece.len();
        if end == flat.len() || ends(&flat[start..end]) {
            sentences.push(shorten(&block[start..end]));
            start = end;
        }
    }
    sentences.retain(|sentence| !sentence.is_empty());
    sentences
}

/// The text without the white space around it, cut when it is very long.
pub(super) fn shorten(text: &str) -> &str {
    let text = text.trim();
    if text.len() <= LONGEST {
        return text;
    }
    let cut = &text[..text.floor_char_boundary(LONGEST)];
    cut.rfind(char::is_whitespace).map_or(cut, |at| cut[..at].trim_end())
}

/// Whether a sentence ends where the standard sees a boundary.
fn ends(text: &str) -> bool {
    let trimmed = text.trim_end();
    if trimmed.len() == text.len() && text.ends_with(|c: char| c.is_ascii()) {
        return false;
    }
    let Some(without_stop) = trimmed.strip_suffix('.') else { return true };
    let last = without_stop
        .rsplit(char::is_whitespace)
        .next()
        .unwrap_or_default()
        .trim_start_matches(|c: char| !c.is_alphanumeric());
    let mut letters = last.chars();
    let is_initial =
        matches!((letters.next(), letters.next()), (Some(c), None) if c.is_uppercase());
    let is_number = trimmed.len() == last.len() + 1 && last.chars().all(|c| c.is_ascii_digit());
    !(is_initial || is_number || ABBREVIATIONS.contains(last.to_lowercase().as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_end_where_a_reader_sees_it() {
        let block = "The first one\nruns on. Is it? Yes! It says \"so.\" Then 你好。再见。 See it. `ls` does.";
        let expected = [
            "The first one\nruns on.",
            "Is it?",
            "Yes!",
            "It says \"so.\"",
            "Then 你好。",
            "再见。",
            "See it.",
            "`ls` does.",
        ];
        assert_eq!(split(block), expected);
    }

    #[test]
    fn abbreviations_versions_and_names_do_not_end_a_sentence() {
        for sentence in [
            "Use a tool, e.g. Cargo or i.e. Make, for it.",
            "Dr. Müller and J. R. Smith wrote v1.2.3 of README.md on Jan. 5.",
            "Node.js and vec![1] are fine (cf. Fig. 3).",
            "1. Start it with koinon.run() now.",
        ] {
            assert_eq!(split(sentence), [sentence]);
        }
    }

    #[test]
    fn an_endless_sentence_is_cut_between_words() {
        let text = "wörd ".repeat(500);
        let pieces = split(&text);
        assert_eq!(pieces.len(), 1);
        assert!(pieces[0].len() <= LONGEST && pieces[0].ends_with("wörd"));
        assert_eq!(shorten(&"é".repeat(500)).len(), LONGEST);
    }
}
