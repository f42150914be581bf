//! Licences that no dataset may be made under.

use crate::dataset::text::collapse_whitespace;

/// One licence a line; lines that start with `#` are remarks.
const BLOCKED: &str = include_str!("blocked_licences.txt");

/// The declared licence forbids making a dataset.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the declared licence {licence} does not allow derived works; it is blocked as {rule}")]
pub struct PolicyBlock {
    /// As it was declared.
    pub licence: String,
    /// The line of the list that blocks it.
    pub rule: String,
}

/// Refuses a declared licence that is on the blocked list, however it is spelled.
///
/// # Errors
///
/// [`PolicyBlock`] names the rule.
pub fn check_licence(licence: Option<&str>) -> Result<(), PolicyBlock> {
    let Some(licence) = licence else { return Ok(()) };
    let declared = normal(licence);
    let mut rules = BLOCKED.lines().map(str::trim).filter(|line| !line.starts_with('#'));
    let blocking = rules.find(|rule| !rule.is_empty() && covers(&normal(rule), &declared));
    match blocking {
        Some(rule) => Err(PolicyBlock { licence: licence.to_owned(), rule: rule.to_owned() }),
        None => Ok(()),
    }
}

/// Whether a rule covers a licence: it is the licence, or the licence goes on with a version.
fn covers(rule: &str, declared: &str) -> bool {
    declared.strip_prefix(rule).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
}

/// Lower case, words joined by hyphens: `CC BY-ND 4.0` and `cc-by-nd-4.0` are the same.
fn normal(licence: &str) -> String {
    let spaced: String =
        licence.chars().map(|c| if c.is_alphanumeric() || c == '.' { c } else { ' ' }).collect();
    collapse_whitespace(&spaced).trim_end_matches('.').to_lowercase().replace(' ', "-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn licences_that_forbid_derived_works_are_blocked_however_spelled() {
        for licence in [
            "CC-BY-ND-4.0",
            "cc by-nc-nd 3.0",
            "All rights reserved.",
            "PROPRIETARY",
            "CC BY-ND",
            "LicenseRef-Proprietary",
        ] {
            assert!(check_licence(Some(licence)).is_err(), "{licence}");
        }
    }

    #[test]
    fn open_licences_and_none_pass() {
        for licence in ["MIT", "CC-BY-4.0", "CC-BY-SA-4.0", "Apache-2.0", "CC0-1.0", "our own"] {
            assert_eq!(check_licence(Some(licence)), Ok(()), "{licence}");
        }
        assert_eq!(check_licence(None), Ok(()));
    }
}
