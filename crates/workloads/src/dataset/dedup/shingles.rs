//! Likeness of texts by their shingles, without comparing all pairs.

use std::collections::BTreeMap;

use koinon_domain::Digest;

/// How many words a shingle has.
const WORDS: usize = 3;

/// The digests of all runs of three words, sorted, each once; of a shorter text the whole.
pub(super) fn shingles(words: impl Iterator<Item = String>) -> Vec<u64> {
    let words: Vec<String> = words.collect();
    let mut found: Vec<u64> = if words.len() < WORDS {
        vec![hash(&words)]
    } else {
        words.windows(WORDS).map(hash).collect()
    };
    found.sort_unstable();
    found.dedup();
    found
}

fn hash(words: &[String]) -> u64 {
    let fields: Vec<&[u8]> = words.iter().map(String::as_bytes).collect();
    let digest = Digest::of_fields(&fields);
    let [a, b, c, d, e, f, g, h, ..] = *digest.as_bytes();
    u64::from_be_bytes([a, b, c, d, e, f, g, h])
}

/// Sets of shingles, asked for one that is like another.
///
/// Source: Chaudhuri, Ganti, Kaushik 2006, prefix filtering: two sets that share a part `t` of their
/// union share one of the rarest `n - ceil(t n) + 1` shingles of each, so that only those are
/// indexed and common phrases cost nothing.
pub(super) struct Nearest {
    alike: usize,
    frequency: BTreeMap<u64, usize>,
    index: BTreeMap<u64, Vec<usize>>,
    sets: BTreeMap<usize, Vec<u64>>,
}

impl Nearest {
    /// For sets that are alike when they share `alike` of a hundred; `all` are those to come.
    pub(super) fn new<'s>(alike: usize, all: impl Iterator<Item = &'s [u64]>) -> Self {
        let mut frequency = BTreeMap::new();
        for shingle in all.flatten() {
            *frequency.entry(*shingle).or_default() += 1;
        }
        Self { alike, frequency, index: BTreeMap::new(), sets: BTreeMap::new() }
    }

    /// The first that was inserted of those that are allowed and like `set`.
    pub(super) fn find(&self, set: &[u64], allowed: impl Fn(usize) -> bool) -> Option<usize> {
        let mut candidates: Vec<usize> = self
            .prefix(set)
            .iter()
            .filter_map(|shingle| self.index.get(shingle))
            .flatten()
            .copied()
            .collect();
        candidates.sort_unstable();
        candidates.dedup();
        candidates.into_iter().find(|other| {
            allowed(*other)
                && self.sets.get(other).is_some_and(|other| is_alike(set, other, self.alike))
        })
    }

    pub(super) fn insert(&mut self, name: usize, set: Vec<u64>) {
        for shingle in self.prefix(&set) {
            self.index.entry(shingle).or_default().push(name);
        }
        self.sets.insert(name, set);
    }

    /// The rarest shingles of a set, as many as it takes.
    fn prefix(&self, set: &[u64]) -> Vec<u64> {
        let mut rarest = set.to_vec();
        rarest.sort_by_key(|shingle| (self.frequency.get(shingle).copied(), *shingle));
        rarest.truncate(set.len() - (set.len() * self.alike).div_ceil(100) + 1);
        rarest
    }
}

/// Whether two sorted sets share `alike` of a hundred of their union.
fn is_alike(one: &[u64], other: &[u64], alike: usize) -> bool {
    let shared = one.iter().filter(|shingle| other.binary_search(shingle).is_ok()).count();
    let union = one.len() + other.len() - shared;
    shared * 100 >= union * alike
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn the_index_finds_what_comparing_all_pairs_finds(
            sets in proptest::collection::vec(proptest::collection::btree_set(0_u64..12, 1..10), 1..20),
        ) {
            let sets: Vec<Vec<u64>> = sets.into_iter().map(|set| set.into_iter().collect()).collect();
            let mut nearest = Nearest::new(80, sets.iter().map(Vec::as_slice));
            for (name, set) in sets.iter().enumerate() {
                let slow = (0..name).any(|other| is_alike(set, &sets[other], 80));
                assert_eq!(nearest.find(set, |_| true).is_some(), slow);
                nearest.insert(name, set.clone());
            }
        }
    }
}
