//! No stage or item is committed twice, and no worker that lost its lease commits.

use std::collections::BTreeMap;

use super::{Finding, Promise};
use crate::chaos::tables::{Checkpoint, Event, Record};

pub(super) fn check(job: &str, record: &Record) -> Vec<Finding> {
    let mut says = twice(record);
    says.extend(record.checkpoints.iter().filter_map(|one| stale(one, &record.events)));
    says.into_iter().map(|says| Finding::new(Promise::DoubleCommit, job, says)).collect()
}

/// The jobs of chaos have one input for each stage and item, so each has one row and one event.
fn twice(record: &Record) -> Vec<String> {
    let mut rows: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for one in &record.checkpoints {
        *rows.entry((&one.stage, &one.item)).or_default() += 1;
    }
    let mut told: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for event in record.events.iter().filter(|event| event.name == "checkpointed") {
        *told.entry(stage_and_item(event)).or_default() += 1;
    }
    let mut says = Vec::new();
    for (key, count) in rows.iter().filter(|(_, count)| **count > 1) {
        says.push(format!("{key:?} has {count} checkpoints"));
    }
    for (key, count) in &told {
        if *count > 1 || !rows.contains_key(key) {
            let rows = rows.get(key).copied().unwrap_or(0);
            says.push(format!("{key:?} was committed {count} times, and has {rows} checkpoints"));
        }
    }
    for key in rows.keys().filter(|key| !told.contains_key(*key)) {
        says.push(format!("{key:?} has a checkpoint that no event tells of"));
    }
    says
}

/// A checkpoint of a worker whose job somebody else had got before.
fn stale(one: &Checkpoint, events: &[Event]) -> Option<String> {
    let committed = events.iter().find(|event| {
        event.name == "checkpointed" && stage_and_item(event) == (&*one.stage, &*one.item)
    })?;
    let before = events.iter().filter(|event| event.seq < committed.seq);
    let reached = before.map(|event| event.generation).max()?;
    (reached > one.generation).then(|| {
        let Checkpoint { stage, version, item, input, generation, .. } = one;
        format!(
            "checkpoint ({stage}, {version}, {item:?}, {input}) was written by generation \
             {generation} when the job was at {reached}"
        )
    })
}

fn stage_and_item(event: &Event) -> (&str, &str) {
    let text = |name: &str| event.detail[name].as_str().unwrap_or_default();
    (text("stage"), text("item"))
}
