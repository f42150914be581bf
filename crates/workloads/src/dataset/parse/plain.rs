//! Plain text: paragraphs between empty lines, and lines that begin as list items do.

use std::ops::Range;

use super::builder::{Builder, Join, Segment};
use crate::dataset::document::BlockKind;

pub(super) fn parse(builder: &mut Builder<'_>) {
    let mut open: Option<(BlockKind, Range<usize>)> = None;
    for line in lines(builder.text()) {
        let text = builder.text().get(line.clone()).unwrap_or_default();
        let content = line.start + (text.len() - text.trim_start().len());
        let end = line.start + text.trim_end().len();
        if content >= end {
            close(builder, open.take());
            continue;
        }
        if let Some(marker) = marker_len(text.trim_start()) {
            close(builder, open.take());
            open = Some((BlockKind::ListItem, content + marker..end));
            continue;
        }
        match &mut open {
            Some((_, range)) => range.end = end,
            None => open = Some((BlockKind::Paragraph, content..end)),
        }
    }
    close(builder, open);
}

fn close(builder: &mut Builder<'_>, open: Option<(BlockKind, Range<usize>)>) {
    if let Some((kind, range)) = open.filter(|(_, range)| range.start < range.end) {
        builder.push(kind, &[Segment::Source(range)], Join::Free);
    }
}

/// The ranges of the lines, without their line feeds.
pub(super) fn lines(text: &str) -> impl Iterator<Item = Range<usize>> + use<> {
    let ends: Vec<usize> = text.match_indices('\n').map(|(at, _)| at).collect();
    let starts = std::iter::once(0).chain(ends.clone().into_iter().map(|at| at + 1));
    starts.zip(ends.into_iter().chain(std::iter::once(text.len()))).map(|(start, end)| start..end)
}

/// How long the marker of a list item is that the line begins with.
fn marker_len(line: &str) -> Option<usize> {
    let mark = if line.starts_with(['-', '*', '•']) {
        line.chars().next().map(char::len_utf8)?
    } else {
        let digits = line.len() - line.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let after = line.get(digits..)?;
        if !(1..=3).contains(&digits) || !after.starts_with(['.', ')']) {
            return None;
        }
        digits + 1
    };
    let rest = line.get(mark..)?;
    let space = rest.len() - rest.trim_start_matches([' ', '\t']).len();
    (space > 0 && space < rest.len()).then_some(mark + space)
}
