//! JSON and JSON Lines: each string that is prose is a block, under the keys that lead to it.

mod strings;

use std::ops::Range;

use serde::de::IgnoredAny;

use super::builder::{Builder, Join, Segment, is_prose};
use super::plain::lines;
use crate::dataset::document::BlockKind;

use strings::{Strings, elements};

/// Parses one JSON text; the elements of an array are its records.
pub(super) fn parse(builder: &mut Builder<'_>) {
    let text = builder.text();
    let from = text.len() - text.trim_start().len();
    let whole = from..text.trim_end().len();
    for record in elements(text, whole) {
        push(builder, record);
    }
}

/// Parses one JSON text a line; a line that is none is left out with a warning.
pub(super) fn parse_lines(builder: &mut Builder<'_>) {
    let text = builder.text();
    for (index, line) in lines(text).enumerate() {
        let raw = text.get(line.clone()).unwrap_or_default();
        let from = line.start + (raw.len() - raw.trim_start().len());
        let record = from..line.start + raw.trim_end().len();
        let Some(content) = text.get(record.clone()).filter(|content| !content.is_empty()) else {
            continue;
        };
        match serde_json::from_str::<IgnoredAny>(content) {
            Ok(_) => push(builder, record),
            Err(error) => {
                let message = format!("not JSON, left out ({:?} error)", error.classify());
                builder.warn(format!("line {}", index + 1), "bad_json_line", message);
            }
        }
    }
}

/// Adds the prose of a record, or the record as it stands when it has none.
fn push(builder: &mut Builder<'_>, record: Range<usize>) {
    let text = builder.text();
    let mut join = Join::Free;
    for string in Strings::new(text, record.clone()) {
        let plain: String = string.segments.iter().map(|segment| shown(text, segment)).collect();
        if is_prose(&plain) {
            builder.push_under(string.keys, BlockKind::Record, &string.segments, join);
            join = Join::WithPrevious;
        }
    }
    if join == Join::Free {
        let whole = [Segment::Source(record)];
        builder.push_under(Vec::new(), BlockKind::Record, &whole, Join::Free);
    }
}

fn shown<'s>(text: &'s str, segment: &'s Segment) -> &'s str {
    match segment {
        Segment::Source(range) => text.get(range.clone()).unwrap_or_default(),
        Segment::Literal(literal) => literal,
    }
}
