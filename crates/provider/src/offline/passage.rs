//! Finds the passage in a request.

use crate::{Request, Role};

const OPENING: &str = "<<<PASSAGE";
const CLOSING: &str = "PASSAGE>>>";

/// What the last user message asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Prompt<'a> {
    /// The text to ask about.
    pub(super) passage: &'a str,
    /// What to ask for most.
    pub(super) kind: Kind,
}

/// What kind of question is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// What is so; also stands for kinds that are not known here.
    Factual,
    /// What something is.
    Definition,
    /// How something is done.
    Procedural,
}

impl<'a> Prompt<'a> {
    /// Reads the last user message; `None` when it has no passage.
    pub(super) fn read(request: &'a Request) -> Option<Self> {
        let message = request.messages.iter().rev().find(|message| message.role == Role::User)?;
        let content = message.content.as_str();
        let (opening, start) = last_line(content, OPENING)?;
        let (closing, _) = last_line(&content[start..], CLOSING)?;
        let kind = content[..opening].lines().rev().find_map(kind).unwrap_or(Kind::Factual);
        Some(Self { passage: &content[start..start + closing], kind })
    }
}

/// Where the last line with this text begins, and where the next one does.
fn last_line(text: &str, line: &str) -> Option<(usize, usize)> {
    let mut end = text.len();
    for candidate in text.split_inclusive('\n').rev() {
        let start = end - candidate.len();
        if candidate.trim_end() == line {
            return Some((start, end));
        }
        end = start;
    }
    None
}

fn kind(line: &str) -> Option<Kind> {
    Some(match line.strip_prefix("Kind:")?.trim() {
        "definition" => Kind::Definition,
        "procedural" => Kind::Procedural,
        _ => Kind::Factual,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Format, Message};

    fn read(content: &str) -> Option<(String, Kind)> {
        let request = Request {
            provider: String::new(),
            model: String::new(),
            messages: vec![Message::user(content), Message::assistant("<<<PASSAGE\nx\nPASSAGE>>>")],
            max_output_tokens: 1,
            format: Format::JsonObject,
        };
        Prompt::read(&request).map(|prompt| (prompt.passage.to_owned(), prompt.kind))
    }

    #[test]
    fn the_passage_is_what_stands_between_its_lines() {
        for (content, passage, kind) in [
            ("<<<PASSAGE\na\nb\nPASSAGE>>>", "a\nb\n", Kind::Factual),
            ("Kind: definition\n<<<PASSAGE\nKind: x\nPASSAGE>>>\n", "Kind: x\n", Kind::Definition),
            ("Kind: procedural\r\n<<<PASSAGE\r\na\r\nPASSAGE>>>\r\n", "a\r\n", Kind::Procedural),
            ("Kind: odd\nThe line <<<PASSAGE\n<<<PASSAGE\na\nPASSAGE>>>", "a\n", Kind::Factual),
            ("<<<PASSAGE\na\nPASSAGE>>>\nb\nPASSAGE>>>", "a\nPASSAGE>>>\nb\n", Kind::Factual),
            ("<<<PASSAGE\nPASSAGE>>>", "", Kind::Factual),
        ] {
            assert_eq!(read(content), Some((passage.to_owned(), kind)), "{content}");
        }
    }

    #[test]
    fn a_message_without_both_lines_has_no_passage() {
        for content in ["", "a", "<<<PASSAGE\na", "a\nPASSAGE>>>", "PASSAGE>>>\n<<<PASSAGE\na"] {
            assert_eq!(read(content), None, "{content}");
        }
    }
}
