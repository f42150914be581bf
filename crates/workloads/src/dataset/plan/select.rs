//! How many passages are taken, and which.

use std::collections::BTreeSet;

use super::passages::{Finder, Fragments, Passage, Tier};
use crate::dataset::chunk::Chunk;
use crate::dataset::document::Document;
use crate::dataset::text::approximate_tokens;
use crate::dataset::warning::Warning;

/// Sizes of passages that are tried, in tokens, until there are as many as wanted.
const GOALS: [usize; 4] = [90, 64, 40, 1];
/// The size of passages when no number is wanted.
const DEFAULT_GOAL: usize = 64;
/// Without a wanted number, there is one item for so many tokens of a document's text: some 60
/// words of English.
const TOKENS_AN_ITEM: usize = 90;
/// A document gives as many items as it has passages, up to this, however short they are.
const SMALL_DOCUMENT: usize = 8;

/// Chooses the passages to make examples from, in order.
pub(super) fn select<'d>(
    documents: &'d [Document],
    chunks: &'d [Chunk],
    originals: &BTreeSet<&str>,
    target: Option<u32>,
    warnings: &mut Vec<Warning>,
) -> Vec<Passage<'d>> {
    let gather = |goal| gather(documents, chunks, originals, goal);
    let Some(target) = target.map(|target| usize::try_from(target).unwrap_or(usize::MAX)) else {
        return by_yield(gather(DEFAULT_GOAL));
    };
    let mut passages = Vec::new();
    for goal in GOALS {
        passages = gather(goal);
        let good = passages.iter().filter(|passage| passage.tier != Tier::Fragment).count();
        if good >= target {
            break;
        }
    }
    if passages.len() < target {
        let message = format!("{target} examples are wanted, the text yields {}", passages.len());
        warnings.push(Warning::whole("settings", "target_capped", message));
    }
    spread(passages, target)
}

/// All passages of about `goal` tokens, in order.
fn gather<'d>(
    documents: &'d [Document],
    chunks: &'d [Chunk],
    originals: &BTreeSet<&str>,
    goal: usize,
) -> Vec<Passage<'d>> {
    let mut finder = Finder::new(goal);
    let mut passages = Vec::new();
    let mut rest = chunks;
    for document in documents {
        let count = rest.iter().take_while(|chunk| chunk.path == document.path).count();
        let (own, later) = rest.split_at(count);
        rest = later;
        if !originals.contains(document.path.as_str()) {
            continue;
        }
        let before = passages.len();
        for fragments in [Fragments::OfRecords, Fragments::OfAll] {
            if passages.len() == before {
                for chunk in own {
                    finder.find(document, chunk, fragments, &mut passages);
                }
            }
        }
    }
    passages
}

/// Takes of each document what its length yields.
fn by_yield(passages: Vec<Passage<'_>>) -> Vec<Passage<'_>> {
    let mut chosen = Vec::new();
    let mut rest = passages.into_iter().peekable();
    while let Some(first) = rest.next() {
        let document = first.document;
        let mut own = vec![first];
        while let Some(next) = rest.next_if(|next| next.document.path == document.path) {
            own.push(next);
        }
        let tokens: usize =
            document.blocks.iter().map(|block| approximate_tokens(&block.text)).sum();
        let wanted = tokens.div_ceil(TOKENS_AN_ITEM).max(SMALL_DOCUMENT).min(own.len());
        chosen.extend(spread(own, wanted));
    }
    chosen
}

/// Takes `count` passages, the better tiers first, and of a tier that is too large evenly spread
/// ones; the order is kept.
fn spread(passages: Vec<Passage<'_>>, count: usize) -> Vec<Passage<'_>> {
    let mut left = count;
    let mut taken = vec![false; passages.len()];
    for tier in [Tier::Sentence, Tier::Phrase, Tier::Fragment] {
        let of_tier: Vec<usize> = (0..passages.len())
            .filter(|at| passages.get(*at).is_some_and(|p| p.tier == tier))
            .collect();
        let take = left.min(of_tier.len());
        for nth in 0..take {
            // Wide enough: both factors are lengths in memory.
            if let Some(taken) =
                of_tier.get(nth * of_tier.len() / take).and_then(|at| taken.get_mut(*at))
            {
                *taken = true;
            }
        }
        left -= take;
    }
    passages
        .into_iter()
        .zip(taken)
        .filter(|(_, taken)| *taken)
        .map(|(passage, _)| passage)
        .collect()
}
