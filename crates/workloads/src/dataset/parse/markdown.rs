//! Markdown: blocks keep their raw text, so that what is quoted stands in the file.

use std::ops::Range;

use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd};

use super::builder::{Builder, Join, Segment, gap};
use crate::dataset::document::BlockKind;

pub(super) fn parse(builder: &mut Builder<'_>) {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_YAML_STYLE_METADATA_BLOCKS
        | Options::ENABLE_PLUSES_DELIMITED_METADATA_BLOCKS;
    let mut reader = Reader::new(builder);
    for (event, range) in Parser::new_ext(reader.builder.text(), options).into_offset_iter() {
        reader.event(event, range);
    }
    reader.close();
}

/// Text that is being collected.
struct Open {
    kind: BlockKind,
    join: Join,
    /// Raw ranges: one, or one a line inside a block quote, whose lines have marks before them.
    parts: Vec<Range<usize>>,
    /// Whether the next piece of text begins a new part.
    broken: bool,
    /// The text without markup, for headings.
    plain: String,
}

struct Reader<'r, 'b> {
    builder: &'r mut Builder<'b>,
    open: Option<Open>,
    /// For each open list item, whether a block of it was begun.
    items: Vec<bool>,
    quotes: usize,
    /// The cells of the open table.
    cells: Option<Vec<Segment>>,
    skipping: bool,
}

impl<'r, 'b> Reader<'r, 'b> {
    const fn new(builder: &'r mut Builder<'b>) -> Self {
        Self { builder, open: None, items: Vec::new(), quotes: 0, cells: None, skipping: false }
    }

    fn event(&mut self, event: Event<'_>, range: Range<usize>) {
        match event {
            Event::Start(tag) => self.start(&tag, range),
            Event::End(tag) => self.end(tag),
            Event::Text(text) => self.text(&text, range),
            Event::Code(code) => self.text(&code, range),
            Event::InlineMath(text) | Event::DisplayMath(text) => self.text(&text, range),
            Event::InlineHtml(_) | Event::FootnoteReference(_) => self.extend(range),
            Event::SoftBreak | Event::HardBreak => {
                if let Some(open) = &mut self.open {
                    open.plain.push(' ');
                    open.broken = self.quotes > 0;
                }
            }
            Event::Html(_) | Event::Rule | Event::TaskListMarker(_) => {}
        }
    }

    fn start(&mut self, tag: &Tag<'_>, range: Range<usize>) {
        match tag {
            Tag::Paragraph => {
                let kind =
                    if self.items.is_empty() { BlockKind::Paragraph } else { BlockKind::ListItem };
                self.begin(kind);
            }
            Tag::Heading { level, .. } => self.begin(BlockKind::Heading { level: number(*level) }),
            Tag::CodeBlock(_) => self.begin(BlockKind::Code),
            Tag::Item => {
                self.close();
                self.items.push(false);
            }
            Tag::BlockQuote(_) => {
                self.close();
                self.quotes += 1;
            }
            Tag::Table(_) => {
                self.close();
                self.cells = Some(Vec::new());
            }
            Tag::TableCell => self.begin(BlockKind::Table),
            Tag::MetadataBlock(_) => self.skipping = true,
            Tag::HtmlBlock | Tag::List(_) | Tag::FootnoteDefinition(_) => self.close(),
            Tag::Emphasis
            | Tag::Strong
            | Tag::Strikethrough
            | Tag::Link { .. }
            | Tag::Image { .. } => {
                self.extend(range);
            }
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Paragraph | TagEnd::Heading(_) | TagEnd::CodeBlock | TagEnd::TableCell => {
                self.close();
            }
            TagEnd::Item => {
                self.close();
                self.items.pop();
            }
            TagEnd::BlockQuote(_) => {
                self.close();
                self.quotes = self.quotes.saturating_sub(1);
            }
            TagEnd::Table => {
                if let Some(cells) = self.cells.take() {
                    self.builder.push(BlockKind::Table, &cells, Join::Free);
                }
            }
            TagEnd::MetadataBlock(_) => self.skipping = false,
            _ => {}
        }
    }

    fn text(&mut self, text: &str, range: Range<usize>) {
        self.extend(range);
        if let Some(open) = &mut self.open {
            // Only a heading's plain text is read, and a code block may be the whole file.
            if matches!(open.kind, BlockKind::Heading { .. }) {
                open.plain.push_str(text);
            }
        }
    }

    fn begin(&mut self, kind: BlockKind) {
        self.close();
        let begun = self.items.last_mut().map(|begun| std::mem::replace(begun, true));
        let join = if begun == Some(true) { Join::WithPrevious } else { Join::Free };
        self.open =
            Some(Open { kind, join, parts: Vec::new(), broken: true, plain: String::new() });
    }

    /// Adds a raw range to what is open; text of a tight list item opens its block.
    fn extend(&mut self, range: Range<usize>) {
        if self.skipping {
            return;
        }
        if self.open.is_none() {
            if self.items.is_empty() {
                return;
            }
            self.begin(BlockKind::ListItem);
        }
        let Some(open) = &mut self.open else { return };
        match open.parts.last_mut() {
            Some(part) if !open.broken => {
                part.start = part.start.min(range.start);
                part.end = part.end.max(range.end);
            }
            Some(part) if range.start < part.end => part.end = part.end.max(range.end),
            _ => open.parts.push(range),
        }
        open.broken = false;
    }

    fn close(&mut self) {
        let Some(open) = self.open.take() else { return };
        let mut segments = Vec::new();
        for part in open.parts {
            if !segments.is_empty() {
                segments.push(Segment::Literal(" ".to_owned()));
            }
            segments.push(Segment::Source(part));
        }
        match (open.kind, &mut self.cells) {
            (BlockKind::Table, Some(cells)) => {
                cells.append(&mut segments);
                cells.push(gap());
            }
            (BlockKind::Heading { level }, _) => {
                self.builder.heading(level, &open.plain, &segments);
            }
            (kind, _) => self.builder.push(kind, &segments, open.join),
        }
    }
}

const fn number(level: HeadingLevel) -> u8 {
    match level {
        HeadingLevel::H1 => 1,
        HeadingLevel::H2 => 2,
        HeadingLevel::H3 => 3,
        HeadingLevel::H4 => 4,
        HeadingLevel::H5 => 5,
        HeadingLevel::H6 => 6,
    }
}
