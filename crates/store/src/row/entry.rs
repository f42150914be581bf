//! Lines of the ledger, and the holds that they add up to.

use koinon_budget::{Amounts, NanoUsd, ProfileId, Usage};
use koinon_domain::{ItemKey, StageName};

use super::checkpoint::{StoredColumns, stored};
use super::{Columns, Fields};
use crate::{CallRef, Entry, EntryKind, Error, Hold, HoldState, Priced};

/// A line of the ledger.
///
/// # Errors
///
/// [`Error::Corrupt`].
pub fn entry<F: Fields>(row: &F) -> Result<Entry, Error> {
    let row = Columns::new(row, "a ledger entry");
    let at =
        StoredColumns { bytes: "answer", digest: "answer_digest", size_bytes: "answer_size_bytes" };
    Ok(Entry {
        hold: row.hold()?,
        job: row.job()?,
        kind: row.text("kind", kind)?,
        generation: row.generation("generation")?,
        at: row.instant("at")?,
        call: call(&row)?,
        priced: priced(&row)?,
        amounts: amounts(&row)?,
        usage: usage(&row)?,
        estimated: row.get("estimated")?,
        answer: stored(&row, &at)?,
        usable: row.get("usable")?,
    })
}

/// A hold from the entry that says what it reserved, beside `ended_by` and `reconciled`.
///
/// # Errors
///
/// [`Error::Corrupt`].
pub fn hold<F: Fields>(row: &F) -> Result<Hold, Error> {
    let row = Columns::new(row, "a hold");
    let ended_by = row.some_text("ended_by", kind)?;
    let reconciled: bool = row.get("reconciled")?;
    Ok(Hold {
        id: row.hold()?,
        state: match ended_by {
            None => HoldState::Open,
            Some(EntryKind::InDoubt) if !reconciled => HoldState::InDoubt,
            Some(_) => HoldState::Ended,
        },
        generation: row.generation("generation")?,
        call: call(&row)?,
        priced: priced(&row)?,
        held: amounts(&row)?,
    })
}

fn kind(text: &str) -> Result<EntryKind, &'static str> {
    EntryKind::ALL.into_iter().find(|kind| kind.as_str() == text).ok_or("no kind of entry")
}

fn call<F: Fields>(row: &Columns<'_, F>) -> Result<CallRef, Error> {
    Ok(CallRef {
        stage: row.text("stage", StageName::try_new)?,
        item: row.some_text("item", ItemKey::try_new)?,
        call: row.digest("call")?,
        sample: row.number("sample")?,
        retry: row.number("retry")?,
    })
}

fn priced<F: Fields>(row: &Columns<'_, F>) -> Result<Priced, Error> {
    Ok(Priced {
        provider: row.get("provider")?,
        model: row.get("model")?,
        profile: row.get::<Option<String>>("profile")?.map(ProfileId::from_stored),
    })
}

fn amounts<F: Fields>(row: &Columns<'_, F>) -> Result<Amounts, Error> {
    Ok(Amounts {
        cost: NanoUsd::new(row.get("cost_nano_usd")?),
        calls: row.get("calls")?,
        input_tokens: row.get("input_tokens")?,
        output_tokens: row.get("output_tokens")?,
    })
}

fn usage<F: Fields>(row: &Columns<'_, F>) -> Result<Option<Usage>, Error> {
    let Some(input_tokens) = row.some_number("used_input_tokens")? else { return Ok(None) };
    Ok(Some(Usage {
        input_tokens,
        cached_input_tokens: row.number("used_cached_input_tokens")?,
        output_tokens: row.number("used_output_tokens")?,
    }))
}
