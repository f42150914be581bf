//! What personal data and secrets look like.

use std::sync::LazyLock;

use regex::Regex;

use super::{Pii, checks};

/// A shape, and what a hit must pass besides.
pub(super) struct Pattern {
    pub(super) pii: Pii,
    pub(super) regex: Regex,
    pub(super) confirm: fn(&str) -> bool,
}

/// A kind, its shape, and what a hit must pass besides.
type Shape = (Pii, &'static str, fn(&str) -> bool);

/// Shapes in the order in which they are looked for.
const SHAPES: &[Shape] = &[
    (Pii::Email, r"(?i)\b[a-z0-9._%+-]{1,64}@(?:[a-z0-9-]{1,63}\.)+[a-z]{2,24}\b", checks::email),
    (Pii::Phone, r"\+[1-9][0-9]{0,2}(?:[ .\-/]?\(?[0-9]{1,5}\)?){2,6}\b", checks::phone),
    (Pii::Phone, r"\([2-9][0-9]{2}\) ?[2-9][0-9]{2}[ .-][0-9]{4}\b", checks::phone),
    (Pii::Iban, r"\b[A-Z]{2}[0-9]{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?\b", checks::iban),
    (Pii::Card, r"\b[3-6][0-9]{3}(?:[ -]?[0-9]{2,6}){2,4}\b", checks::card),
    (Pii::NationalId, r"\b[0-9]{3}-[0-9]{2}-[0-9]{4}\b", checks::social_security),
    (
        Pii::NationalId,
        r"\b[A-CEGHJ-PR-TW-Z]{2} ?[0-9]{2} ?[0-9]{2} ?[0-9]{2} ?[A-D]\b",
        checks::any,
    ),
    (Pii::NationalId, r"\b[0-9XYZ][0-9]{7}[A-Z]\b", checks::spanish_id),
    (Pii::NationalId, r"\b[A-Z]{6}[0-9]{2}[A-EHLMPRST][0-9]{2}[A-Z][0-9]{3}[A-Z]\b", checks::any),
    (Pii::PrivateKey, r"-----BEGIN (?:[A-Z]+ )*PRIVATE KEY(?: BLOCK)?-----", checks::any),
    (Pii::ApiKey, r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b", checks::secret),
    (Pii::ApiKey, r"\bgh[pousr]_[A-Za-z0-9]{36,}\b", checks::secret),
    (Pii::ApiKey, r"\bgithub_pat_[A-Za-z0-9_]{40,}\b", checks::secret),
    (Pii::ApiKey, r"\bxox[abprs]-[A-Za-z0-9-]{20,}\b", checks::secret),
    (Pii::ApiKey, r"\b[sr]k-(?:[a-z]+-)*[A-Za-z0-9_]{20,}\b", checks::secret),
    (Pii::ApiKey, r"\b[sr]k_live_[A-Za-z0-9]{20,}\b", checks::secret),
    (Pii::ApiKey, r"\bAIza[0-9A-Za-z_-]{35}\b", checks::secret),
    (
        Pii::ApiKey,
        r"\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}",
        checks::secret,
    ),
];

static PATTERNS: LazyLock<Vec<Pattern>> = LazyLock::new(|| {
    let compiled = |(pii, shape, confirm): &Shape| {
        Regex::new(shape).ok().map(|regex| Pattern { pii: *pii, regex, confirm: *confirm })
    };
    SHAPES.iter().filter_map(compiled).collect()
});

/// All patterns.
pub(super) fn all() -> &'static [Pattern] {
    &PATTERNS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shape_is_a_pattern() {
        assert_eq!(all().len(), SHAPES.len());
    }
}
