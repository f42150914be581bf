//! Putting aside what is far too much of one kind.

use std::collections::BTreeMap;

use crate::dataset::row::Scored;
use crate::dataset::settings::{Kind, Mix};

/// A kind may have so many times its share, and some more, before any of it is put aside.
const TIMES_ITS_SHARE: usize = 2;
const SOME_MORE: usize = 5;

/// Splits into what is kept, in order, and the lowest-scored excess of kinds that have far more
/// than their share.
pub(super) fn balance(scored: Vec<Scored>, mix: &Mix) -> (Vec<Scored>, Vec<Scored>) {
    let shares = mix.counts(scored.len());
    let kind_of = |one: &Scored| one.grounded.candidate.item.kind;
    let mut by_kind: BTreeMap<Kind, Vec<usize>> = BTreeMap::new();
    for (at, one) in scored.iter().enumerate() {
        by_kind.entry(kind_of(one)).or_default().push(at);
    }
    let mut excess = vec![false; scored.len()];
    for (kind, mut members) in by_kind {
        let share = shares.get(&kind).copied().unwrap_or(0);
        members.sort_by_key(|at| scored.get(*at).map(|one| std::cmp::Reverse(one.score)));
        for at in members.into_iter().skip(share * TIMES_ITS_SHARE + SOME_MORE) {
            if let Some(flag) = excess.get_mut(at) {
                *flag = true;
            }
        }
    }
    let (mut kept, mut aside) = (Vec::new(), Vec::new());
    for (one, is_excess) in scored.into_iter().zip(excess) {
        if is_excess { aside.push(one) } else { kept.push(one) }
    }
    (kept, aside)
}
