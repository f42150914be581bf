//! Lines of the ledger, and the holds that they add up to.

use crate::values::Row;
use koinon_budget::{Amounts, NanoUsd, ProfileId, Usage};
use koinon_domain::{ItemKey, StageName};
use koinon_store::{CallRef, Entry, EntryKind, Error, Hold, HoldState, Priced};

use super::bytes::{StoredColumns, bind_stored, stored};
use super::columns::Columns;
use super::number::int;
use crate::statement::Query;

/// Adds the arguments of a new entry.
pub(crate) fn bind_entry(query: Query, entry: &Entry) -> Query {
    let query = query
        .bind(entry.job.as_uuid())
        .bind(entry.hold.as_uuid())
        .bind(entry.kind.as_str())
        .bind(entry.generation.get())
        .bind(entry.at.as_micros())
        .bind(entry.call.stage.to_string())
        .bind(entry.call.item.as_ref().map(ItemKey::to_string))
        .bind(entry.call.call.as_bytes().to_vec())
        .bind(i64::from(entry.call.sample))
        .bind(i64::from(entry.call.retry))
        .bind(entry.priced.provider.clone())
        .bind(entry.priced.model.clone())
        .bind(entry.priced.profile.as_ref().map(ProfileId::to_string))
        .bind(entry.amounts.cost.get())
        .bind(entry.amounts.calls)
        .bind(entry.amounts.input_tokens)
        .bind(entry.amounts.output_tokens)
        .bind(entry.usage.map(|usage| int(usage.input_tokens)))
        .bind(entry.usage.map(|usage| int(usage.cached_input_tokens)))
        .bind(entry.usage.map(|usage| int(usage.output_tokens)))
        .bind(entry.estimated);
    bind_stored(query, entry.answer.as_ref()).bind(entry.usable)
}

pub(crate) fn entry(row: &Row) -> Result<Entry, Error> {
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
pub(crate) fn hold(row: &Row) -> Result<Hold, Error> {
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

fn call(row: &Columns<'_>) -> Result<CallRef, Error> {
    Ok(CallRef {
        stage: row.text("stage", StageName::try_new)?,
        item: row.some_text("item", ItemKey::try_new)?,
        call: row.digest("call")?,
        sample: row.number("sample")?,
        retry: row.number("retry")?,
    })
}

fn priced(row: &Columns<'_>) -> Result<Priced, Error> {
    Ok(Priced {
        provider: row.get("provider")?,
        model: row.get("model")?,
        profile: row.get::<Option<String>>("profile")?.map(ProfileId::from_stored),
    })
}

fn amounts(row: &Columns<'_>) -> Result<Amounts, Error> {
    Ok(Amounts {
        cost: NanoUsd::new(row.get("cost_nano_usd")?),
        calls: row.get("calls")?,
        input_tokens: row.get("input_tokens")?,
        output_tokens: row.get("output_tokens")?,
    })
}

fn usage(row: &Columns<'_>) -> Result<Option<Usage>, Error> {
    let Some(input_tokens) = row.some_number("used_input_tokens")? else { return Ok(None) };
    Ok(Some(Usage {
        input_tokens,
        cached_input_tokens: row.number("used_cached_input_tokens")?,
        output_tokens: row.number("used_output_tokens")?,
    }))
}
