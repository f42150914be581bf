//! The known key that is most like an unknown one.

use strsim::damerau_levenshtein;

use super::key::KEYS;

/// The known key that is most like `unknown`. Names that people choose are taken over from it.
pub(super) fn nearest(unknown: &[String]) -> String {
    let written = unknown.join(".");
    let candidates = KEYS.iter().map(|key| key.with_name_of(unknown));
    let best = candidates.min_by_key(|candidate| distance(&written, candidate));
    best.unwrap_or_default()
}

/// How many letters differ. A key without its section is as near as one with a single wrong letter.
fn distance(written: &str, candidate: &str) -> usize {
    let whole = damerau_levenshtein(written, candidate);
    let last = candidate.rsplit('.').next().unwrap_or(candidate);
    whole.min(damerau_levenshtein(written, last) + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_key_is_the_one_that_was_meant() {
        for (written, meant) in [
            ("operations.lease_fro", "operations.lease_for"),
            ("lease_for", "operations.lease_for"),
            ("operations_lease_for", "operations.lease_for"),
            ("operations.admision.worker_capacity", "operations.admission.worker_capacity"),
            ("queues.dataset.runing", "queues.dataset.running"),
            ("providers.acme.base_uri", "providers.acme.base_url"),
            ("database", "database.url"),
        ] {
            let path: Vec<_> = written.split('.').map(str::to_owned).collect();
            assert_eq!(nearest(&path), meant, "{written}");
        }
    }
}
