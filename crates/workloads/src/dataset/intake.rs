//! The first stage: which inputs can be used, and as what.

mod binary;
mod licence;
mod media;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub use licence::{PolicyBlock, check_licence};
pub use media::MediaType;

use crate::dataset::charset::{self, Charset, Decoded};
use crate::dataset::sources::{SkipReason, Source};
use crate::dataset::warning::Warning;

/// So many inputs are named where none can be used.
const NAMED_MAX: usize = 5;

/// An input that can be used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Accepted {
    /// As in [`Source::path`].
    pub path: String,
    /// The digest of its bytes.
    pub sha256: String,
    /// How many bytes it has.
    pub size_bytes: u64,
    /// What it is, by its content.
    pub media_type: MediaType,
    /// How its text is encoded.
    pub encoding: Charset,
}

/// What became of one input.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// It can be used.
    Accepted(Accepted),
    /// It is left out.
    Skipped(Skipped),
}

/// An input that is left out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Skipped {
    /// As in [`Source::path`].
    pub path: String,
    /// Why.
    pub reason: SkipReason,
}

/// One input, looked at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// What became of it.
    pub verdict: Verdict,
    /// What a person should know about it.
    pub warnings: Vec<Warning>,
}

/// The result of the stage.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Intake {
    /// What can be used, in the order of the sources; at least one.
    pub accepted: Vec<Accepted>,
    /// What is left out.
    pub skipped: Vec<Skipped>,
    /// What a person should know about the inputs.
    pub warnings: Vec<Warning>,
}

/// The job cannot go on with these inputs, now or later.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum IntakeError {
    /// There are more inputs than `max_files`.
    #[error("there are more than {max_files} files; raise max_files or name fewer")]
    TooManyFiles {
        /// The setting.
        max_files: u32,
    },
    /// Nothing is left to make a dataset of.
    #[error("no input can be used: {reasons}")]
    NoUsableInput {
        /// How many inputs were left out for which reason.
        reasons: String,
    },
}

impl IntakeError {
    /// The stable error code.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::TooManyFiles { .. } => "too_many_files",
            Self::NoUsableInput { .. } => "no_usable_input",
        }
    }

    /// None of these inputs can be used; the first of them are named.
    fn none_of(skipped: &[Skipped]) -> Self {
        let first = skipped.iter().take(NAMED_MAX);
        let mut named: Vec<_> =
            first.map(|one| format!("{} ({})", one.path, one.reason.code())).collect();
        let more = skipped.len().saturating_sub(NAMED_MAX);
        if more > 0 {
            named.push(format!("and {more} more"));
        }
        let reasons = if named.is_empty() { "there is none".to_owned() } else { named.join(", ") };
        Self::NoUsableInput { reasons }
    }

    /// Nothing can be used, for these reasons.
    #[must_use]
    pub fn no_usable_input<'a>(reasons: impl IntoIterator<Item = &'a str>) -> Self {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for reason in reasons {
            *counts.entry(reason).or_default() += 1;
        }
        let named: Vec<_> =
            counts.iter().map(|(reason, count)| format!("{reason} ({count})")).collect();
        let reasons = if named.is_empty() { "there is none".to_owned() } else { named.join(", ") };
        Self::NoUsableInput { reasons }
    }
}

/// The finding for an input that was not even read.
#[must_use]
pub fn skipped(path: &str, reason: SkipReason) -> Finding {
    Finding {
        verdict: Verdict::Skipped(Skipped { path: path.to_owned(), reason }),
        warnings: vec![Warning::whole(path, reason.code(), reason.message())],
    }
}

/// Looks at the bytes of one input.
#[must_use]
pub fn examine(source: &Source, bytes: &[u8]) -> Finding {
    let path = source.path.as_str();
    let (Some(sha256), None) = (&source.sha256, source.skipped) else {
        return skipped(path, source.skipped.unwrap_or(SkipReason::Unreadable));
    };
    if bytes.is_empty() {
        return skipped(path, SkipReason::Empty);
    }
    if binary::is_known_binary(bytes) {
        return skipped(path, SkipReason::Binary);
    }
    let detected = match charset::detect(bytes) {
        Ok(detected) => detected,
        Err(error) => {
            let mut finding = skipped(path, SkipReason::Undecodable);
            finding.warnings.push(Warning::whole(path, "undecodable", error.reason));
            return finding;
        }
    };
    let decoded = charset::decode(bytes, detected.charset);
    if let Some(reason) = binary::refuse(&decoded) {
        return skipped(path, reason);
    }
    let media_type = match media::detect(decoded.text(), path) {
        Ok(media_type) => media_type,
        Err(reason) => return skipped(path, reason),
    };
    let accepted = Accepted {
        path: path.to_owned(),
        sha256: sha256.clone(),
        size_bytes: source.size_bytes,
        media_type,
        encoding: detected.charset,
    };
    let warnings = remarks(path, bytes, &decoded, detected.mark_broken_at);
    Finding { verdict: Verdict::Accepted(accepted), warnings }
}

/// Puts the findings together.
///
/// # Errors
///
/// [`IntakeError`] when there are too many inputs or none can be used.
pub fn admit(
    findings: impl IntoIterator<Item = Finding>,
    max_files: u32,
) -> Result<Intake, IntakeError> {
    let mut intake = Intake { accepted: Vec::new(), skipped: Vec::new(), warnings: Vec::new() };
    for finding in findings {
        intake.warnings.extend(finding.warnings);
        match finding.verdict {
            Verdict::Accepted(accepted) => intake.accepted.push(accepted),
            Verdict::Skipped(skipped) => intake.skipped.push(skipped),
        }
    }
    check_count(intake.accepted.len() + intake.skipped.len(), max_files)?;
    if intake.accepted.is_empty() {
        return Err(IntakeError::none_of(&intake.skipped));
    }
    Ok(intake)
}

/// Refuses more inputs than `max_files`, before any is looked at.
///
/// # Errors
///
/// [`IntakeError::TooManyFiles`].
pub fn check_count(count: usize, max_files: u32) -> Result<(), IntakeError> {
    if count > usize::try_from(max_files).unwrap_or(usize::MAX) {
        return Err(IntakeError::TooManyFiles { max_files });
    }
    Ok(())
}

/// What is remarkable about how an input is encoded.
fn remarks(path: &str, bytes: &[u8], decoded: &Decoded, mark_broken: Option<u64>) -> Vec<Warning> {
    let name = decoded.charset().name();
    let mut warnings = Vec::new();
    if let Some(at) = mark_broken {
        let message = format!("a UTF-8 byte order mark, but not UTF-8 here; decoded as {name}");
        warnings.push(Warning::at(path, place(bytes, at), "misleading_mark", message));
    } else if decoded.charset() != Charset::UTF_8 {
        let message = format!("decoded as {name}");
        warnings.push(Warning::at(path, "byte 0", "not_utf8", message));
    }
    if let Some(at) = decoded.first_nul() {
        let message = format!("removed {} U+0000", decoded.nuls());
        warnings.push(Warning::at(path, place(bytes, at), "nul_removed", message));
    }
    if let Some(at) = decoded.first_replaced() {
        let message = format!("{} byte sequences are not {name}; not quoted", decoded.replaced());
        warnings.push(Warning::at(path, place(bytes, at), "malformed_bytes", message));
    }
    warnings
}

/// A byte offset for people: with its line, as far as line feeds tell.
fn place(bytes: &[u8], at: u64) -> String {
    let before = crate::dataset::span::Span::new(0, at).of(bytes);
    let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
    format!("line {line}, byte {at}")
}

#[cfg(test)]
mod tests {
    use koinon_domain::Digest;

    use super::*;

    fn look(path: &str, bytes: &[u8]) -> Finding {
        let source = Source {
            path: path.to_owned(),
            sha256: Some(Digest::of(bytes).to_string()),
            size_bytes: crate::dataset::span::offset(bytes.len()),
            skipped: None,
        };
        examine(&source, bytes)
    }

    fn reason(finding: &Finding) -> Option<SkipReason> {
        match &finding.verdict {
            Verdict::Skipped(skipped) => Some(skipped.reason),
            Verdict::Accepted(_) => None,
        }
    }

    #[test]
    fn a_binary_is_told_whatever_it_is_named() {
        let png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01";
        let noise: Vec<u8> =
            (0..4000_u32).map(|n| n.wrapping_mul(2_654_435_761).to_be_bytes()[0]).collect();
        for bytes in [
            &png[..],
            &noise,
            b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0",
            &[0; 100],
            b"%PDF-1.7\n1 0 obj\n",
            b"PK\x03\x04\x14\0\0\0\x08\0",
        ] {
            assert!(reason(&look("readme.md", bytes)).is_some(), "{bytes:?}");
        }
    }

    #[test]
    fn an_empty_file_is_skipped_with_a_warning_that_names_it() {
        for bytes in [&b""[..], b"\xEF\xBB\xBF", b" \n\t\n", b"\0\0"] {
            let finding = look("e.md", bytes);
            assert!(reason(&finding).is_some(), "{bytes:?}");
            assert_eq!(finding.warnings[0].path, "e.md");
        }
    }

    #[test]
    fn odd_encodings_are_accepted_with_the_place() {
        let finding = look("t.csv", b"\xEF\xBB\xBFid,name,note\n1,x,y\n2,caf\xE9,z\n");
        assert_eq!(reason(&finding), None);
        assert_eq!(finding.warnings[0].place.as_deref(), Some("line 3, byte 27"));
        let finding = look("n.txt", b"Some text with a\0 nul in it, and more words.\n");
        assert_eq!(finding.warnings[0].code, "nul_removed");
    }

    #[test]
    fn nothing_usable_is_an_error_that_names_the_inputs() {
        let findings = [look("a", b""), look("b", b""), look("c", &[0; 50])];
        let error = admit(findings, 10).unwrap_err();
        assert_eq!(error.code(), "no_usable_input");
        assert!(error.to_string().ends_with("a (empty), b (empty), c (binary)"), "{error}");
    }

    #[test]
    fn too_many_files_are_refused() {
        let findings = vec![look("a", b"Some text."); 3];
        assert!(admit(findings.clone(), 3).is_ok());
        assert_eq!(admit(findings, 2).unwrap_err().code(), "too_many_files");
    }

    proptest::proptest! {
        #[test]
        fn any_bytes_are_examined_without_a_panic(bytes: Vec<u8>, name in "[a-z]\\.(md|csv|json|jsonl|html|txt)") {
            look(&name, &bytes);
        }
    }
}
