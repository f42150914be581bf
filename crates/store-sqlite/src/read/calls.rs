//! What the ledger knows about the calls of a stage.

use std::collections::btree_map::{BTreeMap, Entry as Place};

use koinon_domain::{HoldId, JobId, StageName};
use koinon_store::{CallRecord, CallRef, Entry, EntryKind, Error};

use crate::statement::query;
use crate::{SqliteStore, row};

pub(crate) async fn calls(
    store: &SqliteStore,
    job: JobId,
    stage: &StageName,
) -> Result<Vec<CallRecord>, Error> {
    let query = query(include_str!("../sql/calls.sql")).bind(job.as_uuid()).bind(stage.to_string());
    let rows = store.all(query).await?;
    let mut calls = Calls::default();
    for found in &rows {
        calls.add(row::entry(found)?);
    }
    Ok(calls.finish())
}

/// The records of calls while entries are read in their order.
#[derive(Default)]
struct Calls {
    records: BTreeMap<CallRef, CallRecord>,
    in_doubt: BTreeMap<HoldId, CallRef>,
}

impl Calls {
    fn add(&mut self, entry: Entry) {
        let record = match self.records.entry(entry.call.clone()) {
            Place::Occupied(place) => place.into_mut(),
            Place::Vacant(place) => place.insert(CallRecord {
                call: entry.call.clone(),
                answer: None,
                rejected: false,
                in_doubt: false,
            }),
        };
        if entry.usable {
            record.answer = entry.answer;
        }
        match entry.kind {
            EntryKind::Settled => record.rejected |= !entry.usable,
            EntryKind::InDoubt => drop(self.in_doubt.insert(entry.hold, entry.call)),
            EntryKind::Reconciled => drop(self.in_doubt.remove(&entry.hold)),
            EntryKind::Reserved | EntryKind::Released => {}
        }
    }

    fn finish(mut self) -> Vec<CallRecord> {
        for call in self.in_doubt.values() {
            if let Some(record) = self.records.get_mut(call) {
                record.in_doubt = true;
            }
        }
        self.records.into_values().collect()
    }
}
