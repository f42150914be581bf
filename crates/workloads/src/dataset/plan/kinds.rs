//! Which kind of example each passage is made into.

use koinon_domain::Digest;

use super::passages::Passage;
use crate::dataset::document::BlockKind;
use crate::dataset::settings::{Kind, Mix};

/// Phrases that say what something is.
const DEFINING: &[&str] = &[
    " is a ",
    " is an ",
    " is the ",
    " are the ",
    " means ",
    " refers to ",
    " stands for ",
    " is called ",
    " are called ",
    " describes ",
    " denotes ",
    " ist ein",
    " est un",
    " es un",
];
/// Verbs that instructions begin with.
const INSTRUCTING: &[&str] = &[
    "add",
    "apply",
    "build",
    "call",
    "change",
    "check",
    "choose",
    "click",
    "configure",
    "connect",
    "copy",
    "create",
    "define",
    "delete",
    "download",
    "edit",
    "enable",
    "ensure",
    "enter",
    "export",
    "go",
    "import",
    "install",
    "keep",
    "load",
    "make",
    "move",
    "open",
    "pass",
    "press",
    "put",
    "remove",
    "replace",
    "restart",
    "run",
    "save",
    "select",
    "set",
    "specify",
    "start",
    "stop",
    "submit",
    "take",
    "turn",
    "type",
    "update",
    "use",
    "verify",
    "wait",
    "write",
];
/// Words that put steps in order.
const ORDERING: &[&str] = &["first", "then", "next", "finally", "before", "after", "when", "to"];

/// One kind for each passage: as many of each as the mix wants, each where it fits best.
pub(super) fn kinds(passages: &[Passage<'_>], mix: &Mix) -> Vec<Kind> {
    let counts = mix.counts(passages.len());
    let fallback =
        counts.iter().max_by_key(|(_, count)| **count).map_or(Kind::Factual, |(k, _)| *k);
    let mut kinds: Vec<Option<Kind>> = vec![None; passages.len()];
    for kind in [Kind::Definition, Kind::Procedural, Kind::Factual] {
        let wanted = counts.get(&kind).copied().unwrap_or(0);
        let mut free: Vec<_> = passages
            .iter()
            .enumerate()
            .filter(|(at, _)| kinds.get(*at).is_some_and(Option::is_none))
            .map(|(at, passage)| (std::cmp::Reverse(fit(kind, passage)), shuffle(passage), at))
            .collect();
        free.sort_unstable();
        for (_, _, at) in free.into_iter().take(wanted) {
            if let Some(slot) = kinds.get_mut(at) {
                *slot = Some(kind);
            }
        }
    }
    kinds.into_iter().map(|kind| kind.unwrap_or(fallback)).collect()
}

/// How well a passage suits a kind.
fn fit(kind: Kind, passage: &Passage<'_>) -> u8 {
    let sentence = passage.first_sentence();
    match kind {
        Kind::Factual => 0,
        Kind::Definition => {
            let lower = sentence.to_lowercase();
            u8::from(DEFINING.iter().any(|phrase| lower.contains(phrase)))
        }
        Kind::Procedural => {
            let mut words = sentence.split(|c: char| !c.is_alphanumeric()).map(str::to_lowercase);
            let first = words.find(|word| !word.is_empty()).unwrap_or_default();
            let instructs = INSTRUCTING.contains(&first.as_str());
            let orders = words.any(|word| ORDERING.contains(&word.as_str()));
            2 * u8::from(instructs)
                + u8::from(orders)
                + u8::from(passage.block.kind == BlockKind::ListItem)
        }
    }
}

/// An order without meaning, so that equally suited passages are taken from everywhere.
fn shuffle(passage: &Passage<'_>) -> Digest {
    let Passage { document, span, .. } = passage;
    Digest::of_fields(&[document.sha256.as_bytes(), &span.start.to_be_bytes()])
}
