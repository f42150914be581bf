//! Records and fields with their places, which the `csv` crate does not tell.

use std::ops::Range;

/// A value of a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Field {
    /// Its text, without the quotes around it.
    pub(crate) inner: Range<usize>,
    /// Whether quotes stood around it, so that two inside mean one.
    pub(crate) quoted: bool,
}

/// A row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Record {
    /// All of it, without the line break.
    pub(crate) range: Range<usize>,
    /// The line that it begins on, from 1.
    pub(crate) line: usize,
    /// Its values.
    pub(crate) fields: Vec<Field>,
    /// Whether a quoted value was never closed; it was read as ending with its line.
    pub(crate) unclosed: bool,
}

/// The records of a text; empty lines are none.
///
/// Source: RFC 4180, with other delimiters, and bare quotes inside unquoted values allowed.
#[derive(Debug, Clone)]
pub(crate) struct Records<'t> {
    text: &'t str,
    delimiter: char,
    at: usize,
    line: usize,
    /// Set by the first unclosed quote; looking for later ones could cost the whole file each.
    quotes_off: bool,
}

impl<'t> Records<'t> {
    pub(crate) const fn new(text: &'t str, delimiter: char) -> Self {
        Self { text, delimiter, at: 0, line: 1, quotes_off: false }
    }

    fn rest(&self, from: usize) -> &'t str {
        self.text.get(from..).unwrap_or_default()
    }

    /// The field that begins at `from`, and where it ends in the record.
    fn field(&mut self, from: usize, unclosed: &mut bool) -> (Field, usize) {
        if self.rest(from).starts_with('"') && !self.quotes_off {
            match self.closing_quote(from + 1) {
                Some(close) => {
                    let end = close + 1 + self.value_len(close + 1);
                    // Text behind the closing quote belongs to the value, quotes and all.
                    let is_clean = end == close + 1;
                    let inner = if is_clean { from + 1..close } else { from..end };
                    return (Field { inner, quoted: is_clean }, end);
                }
                None => {
                    self.quotes_off = true;
                    *unclosed = true;
                }
            }
        }
        let end = from + self.value_len(from);
        (Field { inner: from..end, quoted: false }, end)
    }

    /// How much comes before the next delimiter or line break.
    fn value_len(&self, from: usize) -> usize {
        let rest = self.rest(from);
        rest.find([self.delimiter, '\n', '\r']).unwrap_or(rest.len())
    }

    /// The quote that ends the value whose text begins at `from`.
    fn closing_quote(&self, from: usize) -> Option<usize> {
        let mut at = from;
        loop {
            at += self.rest(at).find('"')?;
            if !self.rest(at + 1).starts_with('"') {
                return Some(at);
            }
            at += 2;
        }
    }
}

impl Iterator for Records<'_> {
    type Item = Record;

    fn next(&mut self) -> Option<Record> {
        while self.rest(self.at).starts_with(['\n', '\r']) {
            self.line += usize::from(self.rest(self.at).starts_with('\n'));
            self.at += 1;
        }
        if self.at >= self.text.len() {
            return None;
        }
        let (start, line) = (self.at, self.line);
        let mut fields = Vec::new();
        let mut unclosed = false;
        loop {
            let (field, end) = self.field(self.at, &mut unclosed);
            fields.push(field);
            self.at = end;
            if !self.rest(end).starts_with(self.delimiter) {
                break;
            }
            self.at += self.delimiter.len_utf8();
        }
        let range = start..self.at;
        self.line += self.text.get(range.clone()).map_or(0, |text| text.matches('\n').count());
        Some(Record { range, line, fields, unclosed })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(text: &str) -> Vec<Vec<&str>> {
        Records::new(text, ',')
            .map(|record| record.fields.into_iter().map(|field| &text[field.inner]).collect())
            .collect()
    }

    #[test]
    fn quoted_values_may_hold_delimiters_and_line_breaks() {
        assert_eq!(
            rows("a,\"b,\nc\",d\r\n\r\ne,,\n"),
            [vec!["a", "b,\nc", "d"], vec!["e", "", ""]]
        );
    }

    #[test]
    fn an_unclosed_quote_costs_its_line_only() {
        let text = "a,b\n1,\"x\n2,y\n";
        assert_eq!(rows(text), [vec!["a", "b"], vec!["1", "\"x"], vec!["2", "y"]]);
        assert!(Records::new(text, ',').nth(1).unwrap().unclosed);
    }

    #[test]
    fn lines_are_counted_through_quoted_line_breaks() {
        let lines: Vec<_> = Records::new("a\n\"b\nc\"\nd", ',').map(|record| record.line).collect();
        assert_eq!(lines, [1, 2, 4]);
    }
}
