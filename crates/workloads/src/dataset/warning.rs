//! What a person should know about an input that did not stop the job.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// One remark about one input.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Warning {
    /// The input's path, as in the rows.
    pub path: String,
    /// Where in it, in words (`line 3`, `byte 120`), when there is one place.
    pub place: Option<String>,
    /// A stable name for the kind of remark.
    pub code: String,
    /// One sentence.
    pub message: String,
}

impl Warning {
    /// A remark about a whole input.
    pub(crate) fn whole(path: &str, code: &str, message: impl Into<String>) -> Self {
        Self { path: path.to_owned(), place: None, code: code.to_owned(), message: message.into() }
    }

    /// A remark about one place of an input.
    pub(crate) fn at(
        path: &str,
        place: impl Into<String>,
        code: &str,
        message: impl Into<String>,
    ) -> Self {
        Self { place: Some(place.into()), ..Self::whole(path, code, message) }
    }

    /// The remark as one line: path, place, message.
    #[must_use]
    pub fn line(&self) -> String {
        match &self.place {
            Some(place) => format!("{}, {place}: {}", self.path, self.message),
            None => format!("{}: {}", self.path, self.message),
        }
    }
}

/// How many remarks of one code an input keeps; the rest are counted.
const KEPT_A_CODE: usize = 20;

/// Keeps the first remarks of each code and says how many more there were.
pub(crate) fn bounded(warnings: Vec<Warning>) -> Vec<Warning> {
    let mut seen: BTreeMap<(String, String), usize> = BTreeMap::new();
    let mut kept = Vec::new();
    for warning in warnings {
        let count = seen.entry((warning.path.clone(), warning.code.clone())).or_default();
        *count += 1;
        if *count <= KEPT_A_CODE {
            kept.push(warning);
        }
    }
    for ((path, code), count) in seen {
        if let Some(more) = count.checked_sub(KEPT_A_CODE).filter(|more| *more > 0) {
            kept.push(Warning::whole(&path, &code, format!("{more} more of the same")));
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flood_of_one_code_is_cut_and_counted() {
        let flood = (0..50).map(|n| Warning::at("a.csv", format!("line {n}"), "ragged", "odd"));
        let kept = bounded(flood.collect());
        assert_eq!(kept.len(), KEPT_A_CODE + 1);
        assert_eq!(kept[KEPT_A_CODE].message, "30 more of the same");
    }
}
