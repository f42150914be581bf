//! What a text is, by its content; its name only breaks ties.

mod delimited;
mod json;
mod markup;

use serde::{Deserialize, Serialize};

use crate::dataset::sources::SkipReason;
use crate::dataset::text::truncate;

/// How much of a text is looked at, except for JSON, which is well-formed as a whole or not at all.
const SAMPLE: usize = 64 * 1024;

/// A kind of text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum MediaType {
    /// Markdown.
    #[serde(rename = "text/markdown")]
    Markdown,
    /// Plain text.
    #[serde(rename = "text/plain")]
    Plain,
    /// HTML.
    #[serde(rename = "text/html")]
    Html,
    /// Values separated by commas, semicolons, tabs or bars.
    #[serde(rename = "text/csv")]
    Csv,
    /// One JSON value.
    #[serde(rename = "application/json")]
    Json,
    /// One JSON value a line.
    #[serde(rename = "application/jsonl")]
    JsonLines,
}

impl MediaType {
    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Markdown => "text/markdown",
            Self::Plain => "text/plain",
            Self::Html => "text/html",
            Self::Csv => "text/csv",
            Self::Json => "application/json",
            Self::JsonLines => "application/jsonl",
        }
    }

    /// What a name promises.
    fn named(path: &str) -> Option<Self> {
        let (_, extension) = path.rsplit_once('.')?;
        match extension.to_ascii_lowercase().as_str() {
            "md" | "markdown" | "mdown" | "mkd" => Some(Self::Markdown),
            "txt" | "text" => Some(Self::Plain),
            "html" | "htm" | "xhtml" => Some(Self::Html),
            "csv" | "tsv" | "tab" => Some(Self::Csv),
            "json" => Some(Self::Json),
            "jsonl" | "ndjson" => Some(Self::JsonLines),
            _ => None,
        }
    }
}

/// Tells what `text` is.
pub(super) fn detect(text: &str, path: &str) -> Result<MediaType, SkipReason> {
    let named = MediaType::named(path);
    let sample = truncate(text, SAMPLE);
    if let Some(json) = json::detect(text, named) {
        return json;
    }
    if markup::is_html(sample, named) {
        return Ok(MediaType::Html);
    }
    if markup::is_other_xml(sample) {
        return Err(SkipReason::Unsupported);
    }
    if delimited::is_csv(sample, named) {
        return Ok(MediaType::Csv);
    }
    Ok(if markup::is_markdown(sample, named) { MediaType::Markdown } else { MediaType::Plain })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(text: &str, path: &str) -> &'static str {
        detect(text, path).unwrap().name()
    }

    #[test]
    fn clear_content_wins_over_the_name() {
        assert_eq!(name("<!DOCTYPE html><html><body><p>x</p></body></html>", "a.md"), "text/html");
        assert_eq!(name("{\"a\": [1, 2]}\n", "a.txt"), "application/json");
        assert_eq!(name("{\"a\": 1}\n{\"a\": 2}\n", "a.csv"), "application/jsonl");
        assert_eq!(name("id,name,note\n1,a,b\n2,c,d\n3,e,f\n", "a.md"), "text/csv");
        assert_eq!(name("# Title\n\nSee [this](x).\n\n```sh\nls\n```\n", "a.txt"), "text/markdown");
        assert_eq!(name("Just a plain sentence, nothing else.\n", "a.json"), "text/plain");
    }

    #[test]
    fn the_name_breaks_ties() {
        assert_eq!(name("Just a sentence.\n", "a.md"), "text/markdown");
        assert_eq!(name("Just a sentence.\n", "a.txt"), "text/plain");
        assert_eq!(name("Just a sentence.\n", "stdin"), "text/plain");
        assert_eq!(name("a,b\n1,2\n", "a.csv"), "text/csv");
        assert_eq!(name("a,b\n1,2\n", "a.txt"), "text/plain");
        assert_eq!(name("<p>one</p><p>two</p>", "a.html"), "text/html");
        assert_eq!(name("{\"a\": 1}", "a.jsonl"), "application/jsonl");
    }

    #[test]
    fn a_readme_that_begins_with_a_tag_stays_markdown() {
        let readme = "<p align=\"center\"><img src=\"x\"></p>\n\n# Title\n\nSome text.\n";
        assert_eq!(name(readme, "README.md"), "text/markdown");
    }

    #[test]
    fn one_bad_line_does_not_make_json_lines_something_else() {
        let text = "{\"a\": 1}\n{\"a\": \n{\"a\": 3}\n";
        assert_eq!(name(text, "x.jsonl"), "application/jsonl");
        assert_eq!(name(text, "stdin"), "application/jsonl");
    }

    #[test]
    fn broken_json_and_other_xml_are_refused() {
        assert_eq!(detect("{\"a\": ", "a.json"), Err(SkipReason::Malformed));
        assert_eq!(detect("<?xml version=\"1.0\"?><feed/>", "a.xml"), Err(SkipReason::Unsupported));
    }
}
