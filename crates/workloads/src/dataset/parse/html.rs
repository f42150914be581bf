//! HTML: text between tags, with the structure that the tags give it.

mod entities;
mod tokens;

use std::ops::Range;

use super::builder::{Builder, Join, Segment, gap};
use crate::dataset::document::BlockKind;

use tokens::{Token, Tokens};

/// Elements whose content is no text of the document.
const DROPPED: &[&str] = &["nav", "noscript", "template", "svg", "iframe", "select", "button"];
/// Elements that do not end the block around them.
const INLINE: &[&str] = &[
    "a", "abbr", "b", "bdi", "bdo", "cite", "code", "data", "del", "dfn", "em", "font", "i", "img",
    "ins", "kbd", "label", "mark", "q", "s", "samp", "small", "span", "strong", "sub", "sup",
    "time", "tt", "u", "var", "wbr",
];

pub(super) fn parse(builder: &mut Builder<'_>) {
    let mut reader = Reader::new(builder);
    for token in Tokens::new(reader.builder.text()) {
        reader.token(token);
    }
    reader.flush();
    reader.end_table();
}

struct Reader<'r, 'b> {
    builder: &'r mut Builder<'b>,
    segments: Vec<Segment>,
    /// The level of the open heading.
    heading: Option<u8>,
    /// For each open list item, whether a block of it was begun.
    items: Vec<bool>,
    preformatted: usize,
    /// The cells so far of the open tables, which are taken as one.
    cells: Vec<Segment>,
    tables: usize,
    /// How many dropped elements are open, and the outermost one's name.
    dropped: Option<(String, usize)>,
}

impl<'r, 'b> Reader<'r, 'b> {
    const fn new(builder: &'r mut Builder<'b>) -> Self {
        Self {
            builder,
            segments: Vec::new(),
            heading: None,
            items: Vec::new(),
            preformatted: 0,
            cells: Vec::new(),
            tables: 0,
            dropped: None,
        }
    }

    fn token(&mut self, token: Token) {
        match token {
            Token::Text(range) if self.dropped.is_none() => self.text(range),
            Token::Title(range) => {
                let text = self.builder.text().get(range).unwrap_or_default();
                self.builder.title(&entities::decode(text));
            }
            Token::Open { name, closed } => self.open(&name, closed),
            Token::Close { name } => self.close(&name),
            Token::Text(_) => {}
        }
    }

    fn open(&mut self, name: &str, closed: bool) {
        if let Some((outermost, depth)) = &mut self.dropped {
            *depth += usize::from(outermost == name && !closed);
            return;
        }
        if DROPPED.contains(&name) {
            self.flush();
            if !closed {
                self.dropped = Some((name.to_owned(), 1));
            }
            return;
        }
        if name == "br" {
            self.segments.push(Segment::Literal("\n".to_owned()));
            return;
        }
        if INLINE.contains(&name) {
            return;
        }
        self.flush();
        match name {
            "li" => self.items.push(false),
            "pre" => self.preformatted += 1,
            "table" => self.tables += 1,
            _ => self.heading = level(name).or(self.heading),
        }
    }

    fn close(&mut self, name: &str) {
        if let Some((outermost, depth)) = &mut self.dropped {
            *depth -= usize::from(outermost == name && *depth > 0);
            if *depth == 0 {
                self.dropped = None;
            }
            return;
        }
        if INLINE.contains(&name) {
            return;
        }
        self.flush();
        match name {
            "li" => {
                self.items.pop();
            }
            "ul" | "ol" if self.items.len() == 1 => self.items.clear(),
            "pre" => self.preformatted = self.preformatted.saturating_sub(1),
            "table" => {
                self.tables = self.tables.saturating_sub(1);
                if self.tables == 0 {
                    self.end_table();
                }
            }
            _ if level(name).is_some() => self.heading = None,
            _ => {}
        }
    }

    /// Adds text; each entity is a literal, since it does not stand in the source as it reads.
    fn text(&mut self, range: Range<usize>) {
        let text = self.builder.text().get(range.clone()).unwrap_or_default();
        let mut from = 0;
        for (entity, decoded) in entities::find(text) {
            self.source(range.start + from..range.start + entity.start);
            self.segments.push(Segment::Literal(decoded));
            from = entity.end;
        }
        self.source(range.start + from..range.end);
    }

    fn source(&mut self, range: Range<usize>) {
        if !range.is_empty() {
            self.segments.push(Segment::Source(range));
        }
    }

    fn flush(&mut self) {
        let segments = std::mem::take(&mut self.segments);
        let is_blank = |segment: &Segment| self.shown(segment).trim().is_empty();
        if segments.iter().all(is_blank) {
            return;
        }
        if self.tables > 0 {
            self.cells.extend(segments);
            self.cells.push(gap());
            return;
        }
        if let Some(level) = self.heading {
            let name: String = segments.iter().map(|segment| self.shown(segment)).collect();
            self.builder.heading(level, &name, &segments);
            return;
        }
        let begun = self.items.last_mut().map(|begun| std::mem::replace(begun, true));
        let join = if begun == Some(true) { Join::WithPrevious } else { Join::Free };
        let kind = match begun {
            _ if self.preformatted > 0 => BlockKind::Code,
            Some(_) => BlockKind::ListItem,
            None => BlockKind::Paragraph,
        };
        self.builder.push(kind, &segments, join);
    }

    fn end_table(&mut self) {
        let cells = std::mem::take(&mut self.cells);
        self.builder.push(BlockKind::Table, &cells, Join::Free);
    }

    fn shown<'s>(&self, segment: &'s Segment) -> &'s str
    where
        'b: 's,
    {
        match segment {
            Segment::Source(range) => self.builder.text().get(range.clone()).unwrap_or_default(),
            Segment::Literal(literal) => literal,
        }
    }
}

fn level(name: &str) -> Option<u8> {
    match name {
        "h1" => Some(1),
        "h2" => Some(2),
        "h3" => Some(3),
        "h4" => Some(4),
        "h5" => Some(5),
        "h6" => Some(6),
        _ => None,
    }
}
