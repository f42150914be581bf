//! The append-only list of what calls cost.

use koinon_budget::{Amounts, ProfileId, Usage};
use koinon_domain::{Digest, Generation, HoldId, ItemKey, JobId, StageName, Timestamp};

use crate::Stored;

/// Which call an entry belongs to. The call key is (job, `call`, `sample`, `retry`).
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CallRef {
    /// The stage that called.
    pub stage: StageName,
    /// The item that called.
    pub item: Option<ItemKey>,
    /// The digest of stage, item and request, the same in every run of the same work.
    pub call: Digest,
    /// Tells wanted repetitions of one request apart.
    pub sample: u32,
    /// How many answers to this call were rejected before.
    pub retry: u32,
}

impl CallRef {
    /// The digest of the call key, which is the idempotency key of its requests: equal over the retries of
    /// one call, another after a rejected answer.
    #[must_use]
    pub fn idempotency_key(&self, job: JobId) -> Digest {
        let job = job.as_uuid();
        Digest::of_fields(&[
            job.as_bytes(),
            self.call.as_bytes(),
            &self.sample.to_be_bytes(),
            &self.retry.to_be_bytes(),
        ])
    }
}

/// What a call was priced by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Priced {
    /// The provider.
    pub provider: String,
    /// The model.
    pub model: String,
    /// The profile of the price; `None` where the model has none.
    pub profile: Option<ProfileId>,
}

/// What an entry says about its hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EntryKind {
    /// It was opened at the worst case.
    Reserved,
    /// It ended with a known cost.
    Settled,
    /// It ended without a charge.
    Released,
    /// Its outcome is unknown; it stays charged.
    InDoubt,
    /// The outcome of an in-doubt hold was learnt.
    Reconciled,
}

impl EntryKind {
    /// Every kind.
    pub const ALL: [Self; 5] =
        [Self::Reserved, Self::Settled, Self::Released, Self::InDoubt, Self::Reconciled];

    /// The stable name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Reserved => "reserved",
            Self::Settled => "settled",
            Self::Released => "released",
            Self::InDoubt => "in_doubt",
            Self::Reconciled => "reconciled",
        }
    }
}

/// One line of the ledger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The hold.
    pub hold: HoldId,
    /// The job.
    pub job: JobId,
    /// What it says.
    pub kind: EntryKind,
    /// The generation that opened the hold.
    pub generation: Generation,
    /// The database's time.
    pub at: Timestamp,
    /// The call.
    pub call: CallRef,
    /// What it was priced by.
    pub priced: Priced,
    /// The hold's worst case in a `reserved` or `in_doubt` entry, else what was really spent.
    pub amounts: Amounts,
    /// The tokens, where they are known.
    pub usage: Option<Usage>,
    /// Whether `usage` was estimated from the text, because the provider did not say.
    pub estimated: bool,
    /// The provider's answer.
    pub answer: Option<Stored>,
    /// Whether the answer serves replay.
    pub usable: bool,
}

/// Where a hold stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum HoldState {
    /// The call is under way.
    Open,
    /// The call's outcome is unknown.
    InDoubt,
    /// It has ended.
    Ended,
}

/// A hold as the ledger's entries add up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hold {
    /// Its id.
    pub id: HoldId,
    /// Where it stands.
    pub state: HoldState,
    /// The generation that opened it.
    pub generation: Generation,
    /// The call.
    pub call: CallRef,
    /// What it was priced by.
    pub priced: Priced,
    /// Its worst case.
    pub held: Amounts,
}

impl Hold {
    /// The hold that a [`Reserved`](EntryKind::Reserved) entry has opened.
    #[must_use]
    pub fn opened_by(entry: &Entry) -> Self {
        Self {
            id: entry.hold,
            state: HoldState::Open,
            generation: entry.generation,
            call: entry.call.clone(),
            priced: entry.priced.clone(),
            held: entry.amounts,
        }
    }
}
