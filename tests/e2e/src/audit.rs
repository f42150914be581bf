//! A checker that reads the tables by itself, and knows no more than what they mean.

mod check;
mod read;

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;

use crate::koinon::Koinon;
use crate::store::Place;

/// What the database says about one job.
#[derive(Debug, Clone, Deserialize)]
pub struct Audit {
    /// How it stands.
    pub standing: Standing,
    /// Its history, in order.
    pub events: Vec<Event>,
    /// Its ledger, in order.
    pub ledger: Vec<Entry>,
    /// Its checkpoints.
    pub checkpoints: Vec<Checkpoint>,
}

/// How a job stands.
#[derive(Debug, Clone, Deserialize)]
pub struct Standing {
    /// Its id, as 32 hexadecimal digits.
    pub job: String,
    /// Its state.
    pub state: String,
    /// Its generation.
    pub generation: i64,
    /// The attempts that are used up.
    pub attempt: i64,
    /// Why it failed, waits or paused.
    pub error_code: Option<String>,
    /// What calls cost, in nano-dollars.
    pub spent: Amounts,
    /// The worst case of the calls under way.
    pub reserved: Amounts,
    /// The worst case of the calls whose outcome is unknown.
    pub in_doubt: Amounts,
    /// How many calls are under way.
    pub open_holds: i64,
    /// How often recovery took it.
    pub lease_losses: i64,
    /// When it can be claimed, in microseconds since 1970.
    pub ready_at: i64,
}

/// What is counted on the ledger.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
pub struct Amounts {
    /// In nano-dollars.
    pub cost: i64,
    /// Requests.
    pub calls: i64,
    /// Input tokens.
    pub input_tokens: i64,
    /// Output tokens.
    pub output_tokens: i64,
}

/// A line of a job's history.
#[derive(Debug, Clone, Deserialize)]
pub struct Event {
    /// Its place.
    pub seq: i64,
    /// When, in microseconds since 1970.
    pub at: i64,
    /// What happened.
    pub name: String,
    /// The state before.
    pub from: Option<String>,
    /// The state after.
    pub to: Option<String>,
    /// What else there is to know, as JSON.
    pub detail: String,
}

/// A line of a job's ledger.
#[derive(Debug, Clone, Deserialize)]
pub struct Entry {
    /// The hold, as 32 hexadecimal digits.
    pub hold: String,
    /// What happened to the hold.
    pub kind: String,
    /// The generation that opened it.
    pub generation: i64,
    /// When, in microseconds since 1970.
    pub at: i64,
    /// The digest of the call, as 64 hexadecimal digits.
    pub call: String,
    /// How many answers to the call were rejected before.
    pub retry: i64,
    /// What it comes to.
    pub amounts: Amounts,
    /// Whether its answer serves replay.
    pub usable: bool,
}

/// The stored result of a stage or an item.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
pub struct Checkpoint {
    /// The stage.
    pub stage: String,
    /// Its version.
    pub version: i64,
    /// The item; empty for a stage without items.
    pub item: String,
    /// The digest of its input.
    pub input: String,
}

impl Audit {
    /// Reads the only job of a database and holds it against the invariants.
    pub async fn of(koinon: &Koinon) -> Self {
        let mut all = Self::all(koinon).await;
        assert_eq!(all.len(), 1, "not one job: {all:#?}");
        all.remove(0)
    }

    /// Reads all jobs of a database and holds each against the invariants.
    pub async fn all(koinon: &Koinon) -> Vec<Self> {
        Self::all_in(koinon.place()).await
    }

    /// The same, of the database in a file.
    pub async fn all_at(database: &Path) -> Vec<Self> {
        Self::all_in(&Place::File(database.to_owned())).await
    }

    /// The same, of any database.
    pub async fn all_in(place: &Place) -> Vec<Self> {
        let all = read::all(place).await;
        all.iter().for_each(check::check);
        all
    }

    /// The ledger entries of this kind.
    #[must_use]
    pub fn entries(&self, kind: &str) -> Vec<&Entry> {
        self.ledger.iter().filter(|entry| entry.kind == kind).collect()
    }

    /// How many entries of this kind each call has.
    #[must_use]
    pub fn by_call(&self, kind: &str) -> BTreeMap<&str, usize> {
        let mut counts = BTreeMap::new();
        for entry in self.entries(kind) {
            *counts.entry(entry.call.as_str()).or_default() += 1;
        }
        counts
    }

    /// The events of this name.
    #[must_use]
    pub fn events(&self, name: &str) -> Vec<&Event> {
        self.events.iter().filter(|event| event.name == name).collect()
    }

    /// The items of this stage that have a result.
    #[must_use]
    pub fn items_of(&self, stage: &str) -> usize {
        self.checkpoints.iter().filter(|one| one.stage == stage && !one.item.is_empty()).count()
    }
}
