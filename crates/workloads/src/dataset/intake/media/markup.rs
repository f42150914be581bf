//! Telling HTML, other XML and Markdown.

use super::MediaType;

/// Whether the text is HTML: it opens as a document does, or its name says so and it has tags.
pub(super) fn is_html(sample: &str, named: Option<MediaType>) -> bool {
    let opening = opening(sample);
    let starts =
        |tag: &str| opening.get(..tag.len()).is_some_and(|start| start.eq_ignore_ascii_case(tag));
    if ["<!doctype html", "<html", "<head>", "<body"].into_iter().any(starts) {
        return true;
    }
    let closing = count(sample, "</p>") + count(sample, "</div>") + count(sample, "</h");
    match named {
        Some(MediaType::Html) => sample.contains("</") || sample.contains("<p>"),
        Some(MediaType::Markdown) => false,
        _ => opening.starts_with('<') && closing >= 2,
    }
}

/// Whether the text is XML that is not HTML.
pub(super) fn is_other_xml(sample: &str) -> bool {
    sample.trim_start().starts_with("<?xml") || opening(sample).starts_with("<svg")
}

/// The text from its first element on: past an XML declaration and comments.
fn opening(sample: &str) -> &str {
    let mut rest = sample.trim_start();
    loop {
        let end = if rest.starts_with("<!--") {
            rest.find("-->").map(|at| at + 3)
        } else if rest.starts_with("<?xml") {
            rest.find("?>").map(|at| at + 2)
        } else {
            None
        };
        match end.and_then(|end| rest.get(end..)) {
            Some(after) => rest = after.trim_start(),
            None => return rest,
        }
    }
}

fn count(sample: &str, what: &str) -> usize {
    sample.matches(what).count()
}

/// Whether the text is Markdown: it has two of its signs, or one and a name that does not object.
pub(super) fn is_markdown(sample: &str, named: Option<MediaType>) -> bool {
    let heading = sample.lines().any(is_heading);
    let fence = sample.lines().any(|line| line.trim_start().starts_with("```"));
    let link = sample.contains("](");
    let table =
        sample.lines().any(|line| line.trim_start().starts_with("|-") || line.contains("| --"));
    let strong = count(sample, "**") >= 2;
    let signs = [heading, fence, link, table, strong].into_iter().filter(|sign| *sign).count();
    match named {
        Some(MediaType::Markdown) => true,
        Some(MediaType::Plain) => signs >= 2,
        _ => signs >= 1,
    }
}

fn is_heading(line: &str) -> bool {
    let hashes = line.len() - line.trim_start_matches('#').len();
    (1..=6).contains(&hashes) && line.get(hashes..).is_some_and(|rest| rest.starts_with(' '))
}
