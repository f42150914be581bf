//! Splits by source document, so that no document is in two of them.

use std::collections::BTreeMap;

use koinon_domain::Digest;

use super::Split;
use crate::dataset::settings::SplitRatio;

/// Gives each document, named by digest and with its number of items, a split.
///
/// The order is by a digest of seed and document. With one document all is train; with two,
/// validation stays empty; from three on, each split with a share has a document. Train is never
/// empty, and the largest unless it was given a smaller share.
pub(super) fn assign<'d>(
    counts: &BTreeMap<&'d str, usize>,
    ratio: SplitRatio,
    seed: u64,
) -> BTreeMap<&'d str, Split> {
    let mut free: Vec<(&'d str, usize)> =
        counts.iter().map(|(name, count)| (*name, *count)).collect();
    free.sort_by_key(|(name, _)| Digest::of_fields(&[&seed.to_be_bytes(), name.as_bytes()]));
    let total: usize = counts.values().sum();
    let mut wanted = vec![(Split::Test, ratio.test()), (Split::Validation, ratio.validation())];
    wanted.retain(|(_, share)| *share > 0);
    if counts.len() == 2 {
        wanted.retain(|(split, _)| *split == Split::Test);
    }
    let mut splits: BTreeMap<&'d str, Split> = BTreeMap::new();
    for (place, (split, share)) in wanted.iter().enumerate() {
        let still_to_fill = wanted.len() - place - 1;
        // Train and each split after this one need a document of their own.
        let most = free.len().saturating_sub(1 + still_to_fill);
        let goal = total * usize::from(*share) / 100;
        for name in take(&mut free, goal, most) {
            splits.insert(name, *split);
        }
    }
    splits.extend(free.into_iter().map(|(name, _)| (name, Split::Train)));
    put_largest_first(&mut splits, counts, ratio);
    splits
}

/// Takes at most `most` documents that bring the sum near `goal`; the smallest one when none does.
fn take<'d>(free: &mut Vec<(&'d str, usize)>, goal: usize, most: usize) -> Vec<&'d str> {
    let mut taken = Vec::new();
    let mut sum = 0;
    if most == 0 {
        return taken;
    }
    free.retain(|(name, count)| {
        let is_nearer = sum < goal && sum + count < goal + (goal - sum);
        if !is_nearer || taken.len() >= most {
            return true;
        }
        sum += count;
        taken.push(*name);
        false
    });
    if taken.is_empty() {
        let smallest = (0..free.len()).min_by_key(|at| free.get(*at).map(|(_, count)| *count));
        taken.extend(smallest.map(|at| free.remove(at).0));
    }
    taken
}

/// Exchanges train with a split that came out larger without having been given a larger share.
fn put_largest_first(
    splits: &mut BTreeMap<&str, Split>,
    counts: &BTreeMap<&str, usize>,
    ratio: SplitRatio,
) {
    for (other, share) in [(Split::Test, ratio.test()), (Split::Validation, ratio.validation())] {
        let sum = |wanted: Split| -> usize {
            let of_split = splits.iter().filter(|(_, split)| **split == wanted);
            of_split.map(|(name, _)| counts.get(name).copied().unwrap_or(0)).sum()
        };
        if share > ratio.train() || sum(other) <= sum(Split::Train) {
            continue;
        }
        for split in splits.values_mut() {
            if *split == other {
                *split = Split::Train;
            } else if *split == Split::Train {
                *split = other;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shares(sizes: &[usize], ratio: &str, seed: u64) -> [usize; 3] {
        let names: Vec<String> = (0..sizes.len()).map(|n| format!("doc{n}")).collect();
        let counts = names.iter().map(String::as_str).zip(sizes.iter().copied()).collect();
        let splits = assign(&counts, ratio.parse().unwrap(), seed);
        assert_eq!(splits.len(), sizes.len());
        Split::ALL.map(|wanted| {
            splits.iter().filter(|(_, split)| **split == wanted).map(|(name, _)| counts[name]).sum()
        })
    }

    #[test]
    fn fewer_than_three_documents_leave_validation_then_test_empty() {
        assert_eq!(shares(&[10], "80/10/10", 0), [10, 0, 0]);
        assert_eq!(shares(&[10, 30], "80/10/10", 0), [30, 0, 10]);
        assert_eq!(shares(&[5, 30, 8], "80/10/10", 0)[0], 30);
    }

    #[test]
    fn shares_come_near_the_ratio() {
        let [train, validation, test] = shares(&[5; 100], "80/10/10", 7);
        assert_eq!((train, validation, test), (400, 50, 50));
        let [train, validation, test] = shares(&[5; 100], "50/25/25", 7);
        assert_eq!((train, validation, test), (250, 125, 125));
    }

    #[test]
    fn a_share_of_zero_stays_empty() {
        assert_eq!(shares(&[5; 10], "100/0/0", 1), [50, 0, 0]);
        assert_eq!(shares(&[5; 10], "90/0/10", 1)[1], 0);
    }

    proptest::proptest! {
        #[test]
        fn train_is_never_empty_and_the_largest(
            sizes in proptest::collection::vec(1_usize..200, 1..12), seed: u64,
        ) {
            let [train, validation, test] = shares(&sizes, "80/10/10", seed);
            assert!(train >= validation && train >= test && train > 0);
            assert_eq!(validation > 0, sizes.len() >= 3);
            assert_eq!(test > 0, sizes.len() >= 2);
        }
    }

    #[test]
    fn the_seed_decides_which_documents_go_where() {
        let names: Vec<String> = (0..30).map(|n| format!("doc{n}")).collect();
        let counts = names.iter().map(|name| (name.as_str(), 5)).collect();
        let by_seed = |seed| assign(&counts, SplitRatio::default(), seed);
        assert_eq!(by_seed(1), by_seed(1));
        assert_ne!(by_seed(1), by_seed(2));
    }
}
