//! One JSON object a line.

use serde::Serialize;

use crate::dataset::quarantine::Quarantined;
use crate::dataset::row::Scored;
use crate::dataset::span::Span;

#[derive(Serialize)]
struct Row<'a> {
    messages: [Message<'a>; 2],
    metadata: Metadata<'a>,
}

#[derive(Serialize)]
struct Message<'a> {
    role: &'static str,
    content: &'a str,
}

#[derive(Serialize)]
struct Metadata<'a> {
    source_sha256: &'a str,
    path: &'a str,
    encoding: &'a str,
    span: Span,
    quote: &'a str,
    heading_path: &'a [String],
    chunk: &'a str,
    call: &'a str,
    kind: &'static str,
    split: &'static str,
    score: String,
}

#[derive(Serialize)]
struct Left<'a> {
    stage: &'a str,
    reason: &'a str,
    message: &'a str,
    item: &'a str,
    source_sha256: &'a str,
    path: &'a str,
    passage_span: Span,
    chunk: &'a str,
    call: Option<&'a str>,
    kind: &'static str,
    split: &'static str,
    question: Option<&'a str>,
    answer: Option<&'a str>,
    quote: Option<&'a str>,
}

/// The lines of one split.
pub(super) fn rows<'a>(rows: impl Iterator<Item = &'a Scored>) -> serde_json::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    for scored in rows {
        let candidate = &scored.grounded.candidate;
        let (item, draft) = (&candidate.item, &candidate.draft);
        let row = Row {
            messages: [
                Message { role: "user", content: &draft.question },
                Message { role: "assistant", content: &draft.answer },
            ],
            metadata: Metadata {
                source_sha256: &item.source_sha256,
                path: &item.path,
                encoding: item.encoding.name(),
                span: scored.grounded.span,
                quote: &draft.quote,
                heading_path: &item.heading_path,
                chunk: &item.chunk,
                call: &candidate.call,
                kind: item.kind.name(),
                split: item.split.name(),
                score: scored.score.to_string(),
            },
        };
        push_line(&mut bytes, &row)?;
    }
    Ok(bytes)
}

/// The lines of what was left out.
pub(super) fn quarantine(entries: &[Quarantined]) -> serde_json::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    for entry in entries {
        let draft = entry.draft.as_ref();
        let left = Left {
            stage: &entry.stage,
            reason: &entry.reason,
            message: &entry.message,
            item: &entry.key,
            source_sha256: &entry.source_sha256,
            path: &entry.path,
            passage_span: entry.passage_span,
            chunk: &entry.chunk,
            call: entry.call.as_deref(),
            kind: entry.kind.name(),
            split: entry.split.name(),
            question: draft.map(|draft| draft.question.as_str()),
            answer: draft.map(|draft| draft.answer.as_str()),
            quote: draft.map(|draft| draft.quote.as_str()),
        };
        push_line(&mut bytes, &left)?;
    }
    Ok(bytes)
}

/// Adds a line; characters that some readers take for line ends are escaped.
fn push_line(bytes: &mut Vec<u8>, value: &impl Serialize) -> serde_json::Result<()> {
    let json = serde_json::to_string(value)?;
    let safe = json
        .replace('\u{85}', "\\u0085")
        .replace('\u{2028}', "\\u2028")
        .replace('\u{2029}', "\\u2029");
    bytes.extend_from_slice(safe.as_bytes());
    bytes.push(b'\n');
    Ok(())
}
