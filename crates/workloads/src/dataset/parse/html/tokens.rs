//! A tolerant tokenizer that tells where each text stands, which tree builders do not.

use std::ops::Range;

/// Elements whose content is read up to their closing tag, whatever it looks like.
const RAW: &[&str] = &["script", "style", "textarea", "title", "xmp"];
/// How often a tag without an end may be searched for; each search may cost the whole text.
const FAILURES: usize = 64;

/// A part of an HTML text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token {
    /// Text, entities not decoded.
    Text(Range<usize>),
    /// The content of the title element.
    Title(Range<usize>),
    /// A start tag; closed when it ends in `/>`.
    Open {
        /// In lower case.
        name: String,
        /// Whether no closing tag follows.
        closed: bool,
    },
    /// An end tag.
    Close {
        /// In lower case.
        name: String,
    },
}

/// The tokens of a text. Comments, declarations and the content of scripts and styles are none.
#[derive(Debug)]
pub(super) struct Tokens<'t> {
    text: &'t str,
    at: usize,
    failures: usize,
    /// Found behind a tag that was given already.
    next: Option<Token>,
}

impl<'t> Tokens<'t> {
    pub(super) const fn new(text: &'t str) -> Self {
        Self { text, at: 0, failures: 0, next: None }
    }

    fn rest(&self, from: usize) -> &'t str {
        self.text.get(from..).unwrap_or_default()
    }

    /// Where the markup that begins at `at` ends, if markup begins there.
    fn markup_end(&mut self, at: usize) -> Option<usize> {
        let rest = self.rest(at + 1);
        if rest.starts_with("!--") {
            let end = self.rest(at + 4).find("-->").map_or(self.text.len(), |end| at + 4 + end + 3);
            return Some(end);
        }
        let first = rest.strip_prefix('/').unwrap_or(rest).bytes().next()?;
        if rest.starts_with(['!', '?']) {
            return Some(rest.find('>').map_or(self.text.len(), |end| at + 1 + end + 1));
        }
        if !first.is_ascii_alphabetic() {
            return None;
        }
        self.tag_end(at)
    }

    /// Where the tag ends: at the first `>` outside quotes; the first at all when quotes are odd.
    fn tag_end(&mut self, at: usize) -> Option<usize> {
        if self.failures >= FAILURES {
            // A tag that long is no tag; the bound keeps hostile texts cheap.
            let near = self.rest(at).char_indices().take(1024);
            return near.into_iter().find(|(_, c)| *c == '>').map(|(end, _)| at + end + 1);
        }
        let mut quote = None;
        for (offset, byte) in self.rest(at).bytes().enumerate() {
            match (quote, byte) {
                (None, b'>') => return Some(at + offset + 1),
                (None, b'"' | b'\'') => quote = Some(byte),
                (Some(open), _) if open == byte => quote = None,
                _ => {}
            }
        }
        self.failures += 1;
        self.rest(at).find('>').map(|end| at + end + 1)
    }

    /// Reads the tag at `at..end` and, of a raw element, its content.
    fn tag(&mut self, at: usize, end: usize) -> Option<Token> {
        self.at = end;
        let inner = self.text.get(at + 1..end.saturating_sub(1)).unwrap_or_default();
        let (is_close, inner) = match inner.strip_prefix('/') {
            Some(inner) => (true, inner),
            None => (false, inner),
        };
        let name_end = inner.find(|c: char| c.is_ascii_whitespace() || c == '/');
        let name = inner.get(..name_end.unwrap_or(inner.len()))?.to_ascii_lowercase();
        if name.is_empty() || inner.starts_with(['!', '?']) {
            return None;
        }
        if is_close {
            return Some(Token::Close { name });
        }
        let closed = inner.ends_with('/');
        if !closed && RAW.contains(&name.as_str()) {
            let content = end..end + self.raw_len(end, &name);
            self.at = content.end;
            self.next = (name == "title").then_some(Token::Title(content));
            return self.next.take();
        }
        Some(Token::Open { name, closed })
    }

    /// How much comes before the closing tag of a raw element.
    fn raw_len(&self, from: usize, name: &str) -> usize {
        let rest = self.rest(from);
        let is_close = |at: &usize| {
            let start = at + 2;
            let found = rest.get(start..start + name.len());
            found.is_some_and(|found| found.eq_ignore_ascii_case(name))
        };
        rest.match_indices("</").map(|(at, _)| at).find(is_close).unwrap_or(rest.len())
    }
}

impl Iterator for Tokens<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        if let Some(token) = self.next.take() {
            return Some(token);
        }
        let start = self.at;
        let mut from = start;
        while let Some(found) = self.rest(from).find('<') {
            let at = from + found;
            let Some(end) = self.markup_end(at) else {
                from = at + 1;
                continue;
            };
            let token = self.tag(at, end);
            self.at = self.at.max(end);
            if start < at {
                self.next = token;
                return Some(Token::Text(start..at));
            }
            if token.is_some() {
                return token;
            }
            return self.next();
        }
        self.at = self.text.len();
        (start < self.at).then_some(Token::Text(start..self.at))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<&str> {
        Tokens::new(text)
            .filter_map(|token| match token {
                Token::Text(range) => Some(&text[range]),
                _ => None,
            })
            .collect()
    }

    #[test]
    fn text_is_what_stands_between_tags() {
        let html = "a<b class=\"x>y\">c</b><!-- no > --><script>if (a<b) {}</script>d < e<";
        assert_eq!(texts(html), ["a", "c", "d < e<"]);
    }

    #[test]
    fn the_title_is_told_apart() {
        let tokens: Vec<_> = Tokens::new("<title>T</title>").collect();
        assert_eq!(tokens[0], Token::Title(7..8));
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_read_without_a_panic(text in "[<>/!\"'a-cé \\-]{0,80}") {
            Tokens::new(&text).count();
        }
    }
}
