//! From bytes to documents.

mod builder;
pub(crate) mod csv;
mod html;
mod json;
mod markdown;
mod plain;

use crate::dataset::charset;
use crate::dataset::document::{BlockKind, Document};
use crate::dataset::intake::{Accepted, IntakeError, MediaType};
use crate::dataset::warning::{Warning, bounded};

use builder::Builder;

/// Parses one input.
///
/// Never fails: what cannot be read is left out with a warning that names file and place.
#[must_use]
pub fn parse(source: &Accepted, bytes: &[u8]) -> Document {
    let decoded = charset::decode(bytes, source.encoding);
    let mut builder = Builder::new(&source.path, &decoded);
    match source.media_type {
        MediaType::Markdown => markdown::parse(&mut builder),
        MediaType::Plain => plain::parse(&mut builder),
        MediaType::Html => html::parse(&mut builder),
        MediaType::Csv => csv::parse(&mut builder),
        MediaType::Json => json::parse(&mut builder),
        MediaType::JsonLines => json::parse_lines(&mut builder),
    }
    let (blocks, title, mut warnings) = builder.finish();
    if blocks.iter().all(|block| matches!(block.kind, BlockKind::Heading { .. })) {
        warnings.push(Warning::whole(&source.path, "no_text", "no text below its headings"));
    }
    Document {
        path: source.path.clone(),
        sha256: source.sha256.clone(),
        media_type: source.media_type,
        encoding: source.encoding,
        title,
        blocks,
        warnings: bounded(warnings),
    }
}

/// Refuses documents that have no text at all.
///
/// # Errors
///
/// [`IntakeError::NoUsableInput`].
pub fn require_text(documents: &[Document]) -> Result<(), IntakeError> {
    if documents.iter().all(|document| document.blocks.is_empty()) {
        return Err(IntakeError::no_usable_input(documents.iter().map(|_| "no_text")));
    }
    Ok(())
}

#[cfg(test)]
mod tests;
