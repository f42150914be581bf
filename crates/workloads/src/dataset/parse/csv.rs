//! Files of separated values: a record a row.

mod records;

use super::builder::{Builder, Join, Segment, gap, is_prose};
use crate::dataset::document::BlockKind;
use crate::dataset::text::{collapse_whitespace, truncate};

pub(crate) use records::{Field, Record, Records};

/// What may stand between two values.
pub(crate) const DELIMITERS: [char; 4] = [',', ';', '\t', '|'];

/// How many records decide which delimiter it is.
const SNIFFED: usize = 30;
/// The most of a header row that is kept as a heading, in bytes.
const HEADER_BYTES: usize = 200;

pub(super) fn parse(builder: &mut Builder<'_>) {
    let text = builder.text();
    let mut records = Records::new(text, sniff(text)).peekable();
    let columns = records.peek().map_or(0, |record| record.fields.len());
    let header = records.next_if(|first| is_header(text, first));
    let names = header.as_ref().map(|header| {
        let names = header.fields.iter().map(|field| value(text, field).trim());
        let joined = collapse_whitespace(&names.collect::<Vec<_>>().join(", "));
        truncate(&joined, HEADER_BYTES).to_owned()
    });
    let under: Vec<String> = names.into_iter().filter(|names| !names.is_empty()).collect();
    // A header without rows is all that the file says.
    let lonely = header.filter(|_| records.peek().is_none());
    for record in lonely.into_iter().chain(records) {
        let place = format!("line {}", record.line);
        if record.unclosed {
            builder.warn(&place, "unclosed_quote", "a quoted value is never closed");
        }
        if record.fields.len() != columns {
            let message = format!("{} values where {columns} were expected", record.fields.len());
            builder.warn(&place, "ragged_row", message);
        }
        builder.push_under(under.clone(), BlockKind::Record, &segments(text, &record), Join::Free);
    }
}

/// The prose of a row, or the whole row as it stands when it has none.
fn segments(text: &str, record: &Record) -> Vec<Segment> {
    let mut segments = Vec::new();
    for field in record.fields.iter().filter(|field| is_prose(value(text, field))) {
        if !segments.is_empty() {
            segments.push(gap());
        }
        let mut from = field.inner.start;
        let doubled = if field.quoted { value(text, field) } else { "" };
        for (at, _) in doubled.match_indices("\"\"") {
            let at = field.inner.start + at;
            segments.push(Segment::Source(from..at));
            segments.push(Segment::Literal("\"".to_owned()));
            from = at + 2;
        }
        segments.push(Segment::Source(from..field.inner.end));
    }
    if segments.is_empty() {
        segments.push(Segment::Source(record.range.clone()));
    }
    segments
}

fn value<'t>(text: &'t str, field: &Field) -> &'t str {
    text.get(field.inner.clone()).unwrap_or_default()
}

/// Whether the first record names the columns: short names, none of them a number.
fn is_header(text: &str, first: &Record) -> bool {
    first.fields.iter().all(|field| {
        let name = value(text, field).trim();
        name.len() <= 64
            && !name.is_empty()
            && name.parse::<f64>().is_err()
            && !name.ends_with(['.', '!', '?'])
    })
}

/// The delimiter on whose number of fields most records agree.
fn sniff(text: &str) -> char {
    let score = |delimiter: char| {
        let counts: Vec<usize> =
            Records::new(text, delimiter).take(SNIFFED).map(|record| record.fields.len()).collect();
        let first = counts.first().copied().unwrap_or(0);
        let same = counts.iter().filter(|count| **count == first).count();
        if first < 2 { (0, 0) } else { (same, first) }
    };
    let best = DELIMITERS.into_iter().rev().max_by_key(|delimiter| score(*delimiter));
    best.unwrap_or(',')
}
