//! Telling JSON and JSON Lines.

use serde::de::IgnoredAny;

use super::MediaType;
use crate::dataset::sources::SkipReason;

/// How many lines are tried.
const LINES: usize = 50;

/// What JSON the text is; none when it does not look like any.
pub(super) fn detect(
    text: &str,
    named: Option<MediaType>,
) -> Option<Result<MediaType, SkipReason>> {
    let promised = matches!(named, Some(MediaType::Json | MediaType::JsonLines));
    if !text.trim_start().starts_with(['{', '[']) && named != Some(MediaType::JsonLines) {
        return None;
    }
    if is_json(text) {
        // A single line is both; a JSON text over several lines is not JSON Lines.
        let one_line = text.trim().lines().count() == 1;
        let lines = one_line && named == Some(MediaType::JsonLines);
        return Some(Ok(if lines { MediaType::JsonLines } else { MediaType::Json }));
    }
    let lines = text.lines().filter(|line| !line.trim().is_empty()).take(LINES);
    let (mut good, mut all) = (0, 0);
    for line in lines {
        all += 1;
        good += usize::from(is_container(line));
    }
    let lines = good >= 2 && good * 2 >= all || good >= 1 && named == Some(MediaType::JsonLines);
    match (lines, promised) {
        (true, _) => Some(Ok(MediaType::JsonLines)),
        (false, true) if text.trim_start().starts_with(['{', '[']) => {
            Some(Err(SkipReason::Malformed))
        }
        (false, _) => None,
    }
}

fn is_json(text: &str) -> bool {
    serde_json::from_str::<IgnoredAny>(text).is_ok()
}

fn is_container(line: &str) -> bool {
    line.trim_start().starts_with(['{', '[']) && is_json(line)
}
