//! What the ledger knows about calls.

use std::collections::btree_map::{BTreeMap, Entry as Place};

use koinon_domain::HoldId;

use super::{Fields, entry};
use crate::{CallRecord, CallRef, Entry, EntryKind, Error};

/// What the lines of a ledger, in their order, say about its calls.
///
/// # Errors
///
/// [`Error::Corrupt`].
pub fn calls<F: Fields>(rows: &[F]) -> Result<Vec<CallRecord>, Error> {
    let mut calls = Calls::default();
    for found in rows {
        calls.add(entry(found)?);
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
