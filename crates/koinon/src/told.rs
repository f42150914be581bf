//! Errors, as people are told of them.

use std::error::Error;

/// An error and what it comes from, as one sentence in one line.
#[must_use]
pub fn told(error: &(dyn Error + 'static)) -> String {
    let mut told = error.to_string();
    for cause in std::iter::successors(error.source(), |&cause| cause.source()) {
        let text = cause.to_string();
        // Some libraries tell their cause in their own text too.
        if !told.contains(&text) {
            told.push_str(": ");
            told.push_str(&text);
        }
    }
    told.lines().map(str::trim).collect::<Vec<_>>().join(" ")
}
