//! Finds the running text of a passage: paragraphs and list items, without headings, tables and code.

use std::ops::Range;

/// What a line is, as far as running text goes.
enum Line {
    /// The edge of a block of code.
    Fence,
    /// Nothing, or something that is no running text.
    Other,
    /// The line under a heading.
    Underline,
    /// The first line of a list item, whose text begins so many bytes in.
    Item(usize),
    /// A line of a quotation, whose text begins so many bytes in.
    Quoted(usize),
    /// Running text.
    Text,
}

/// The byte ranges of the blocks of running text, in order.
pub(super) fn prose(passage: &str) -> Vec<Range<usize>> {
    let mut blocks = Blocks::default();
    let mut in_code = false;
    let mut start = 0;
    for line in passage.split_inclusive('\n') {
        let end = start + line.len();
        match Line::of(line) {
            Line::Fence => {
                in_code = !in_code;
                blocks.close();
            }
            _ if in_code => {}
            Line::Other => blocks.close(),
            Line::Underline => blocks.drop_heading(),
            Line::Item(text) => {
                blocks.close();
                blocks.extend(start + text, end);
            }
            // Each line stands alone, since the mark of the next one is no part of a sentence.
            Line::Quoted(text) => {
                blocks.close();
                blocks.extend(start + text, end);
                blocks.close();
            }
            Line::Text => blocks.extend(start, end),
        }
        start = end;
    }
    blocks.close();
    blocks.done
}

#[derive(Default)]
struct Blocks {
    done: Vec<Range<usize>>,
    open: Option<Range<usize>>,
    open_lines: usize,
}

impl Blocks {
    fn extend(&mut self, start: usize, end: usize) {
        self.open_lines += 1;
        self.open = Some(self.open.take().map_or(start, |open| open.start)..end);
    }

    fn close(&mut self) {
        self.done.extend(self.open.take());
        self.open_lines = 0;
    }

    fn drop_heading(&mut self) {
        if self.open_lines == 1 {
            self.open = None;
        }
        self.close();
    }
}

impl Line {
    fn of(line: &str) -> Self {
        let text = line.trim();
        let indent = line.len() - line.trim_start().len();
        if text.starts_with("```") || text.starts_with("~~~") {
            return Self::Fence;
        }
        if text.is_empty() || is_heading(text) || is_table_row(text) || text.starts_with('<') {
            return Self::Other;
        }
        if text.len() >= 3 && ["=", "-", "*", "_"].iter().any(|c| text.replace(c, "").is_empty()) {
            return Self::Underline;
        }
        if let Some(text) = text.strip_prefix('>') {
            return Self::Quoted(line.len() - line.trim_start().len() + 1 + lead(text));
        }
        match marker(text) {
            Some(marker) => Self::Item(indent + marker),
            None => Self::Text,
        }
    }
}

fn is_heading(text: &str) -> bool {
    let rest = text.trim_start_matches('#');
    let level = text.len() - rest.len();
    (1..=6).contains(&level) && rest.starts_with(char::is_whitespace)
}

fn is_table_row(text: &str) -> bool {
    text.starts_with('|') || text.matches(" | ").count() >= 2
}

/// The length of a list item's marker with the space behind it, a check box included.
fn marker(text: &str) -> Option<usize> {
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let mark = match text[digits..].chars().next()? {
        '-' | '*' | '+' if digits == 0 => 1,
        '•' if digits == 0 => '•'.len_utf8(),
        '.' | ')' if (1..=9).contains(&digits) => digits + 1,
        _ => return None,
    };
    let rest = &text[mark..];
    if !rest.starts_with(char::is_whitespace) {
        return None;
    }
    let mut length = mark + lead(rest);
    for check_box in ["[ ]", "[x]", "[X]"] {
        if let Some(rest) = text[length..].strip_prefix(check_box) {
            length += check_box.len() + lead(rest);
        }
    }
    Some(length)
}

/// How many bytes of white space the text begins with.
fn lead(text: &str) -> usize {
    text.len() - text.trim_start().len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blocks(passage: &str) -> Vec<&str> {
        prose(passage).into_iter().map(|range| passage[range].trim()).collect()
    }

    #[test]
    fn paragraphs_and_items_are_blocks() {
        let passage =
            "One\ntwo.\n\nThree.\n- four\n  five\n* [x] six\n12) seven\n> eight\n> nine\n";
        let expected = ["One\ntwo.", "Three.", "four\n  five", "six", "seven", "eight", "nine"];
        assert_eq!(blocks(passage), expected);
    }

    #[test]
    fn headings_tables_code_and_rules_are_not() {
        let passage = "# One\nTwo\n===\n\n| a | b |\n|---|---|\na | b | c\n---\n```sh\nrun it\n```\n\
                       <div>\nThree.\n~~~\ncode";
        assert_eq!(blocks(passage), ["Three."]);
    }

    #[test]
    fn signs_that_only_look_like_marks_are_text() {
        for text in ["-1 is less", "1.5 is more", "*so* it is", "#tag", "a | b", "2024 was"] {
            assert_eq!(blocks(text), [text]);
        }
    }
}
