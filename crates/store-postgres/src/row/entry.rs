//! Lines of the ledger, and the holds that they add up to.

use koinon_budget::{Amounts, NanoUsd, ProfileId, Usage};
use koinon_domain::{ItemKey, StageName};
use koinon_store::{CallRef, Entry, EntryKind, Error, Hold, HoldState, Priced};
use sqlx::postgres::PgRow;

use super::bytes::{StoredColumns, bind_stored, stored};
use super::columns::Columns;
use super::each::each;
use super::instant::Instant;
use super::number::int;
use crate::tx::Query;

/// Adds the columns of new entries.
pub(crate) fn bind_entries<'q>(query: Query<'q>, rows: &'q [Entry]) -> Query<'q> {
    let query = each(query, rows, |entry| entry.job.as_uuid());
    let query = each(query, rows, |entry| entry.hold.as_uuid());
    let query = each(query, rows, |entry| entry.kind.as_str());
    let query = each(query, rows, |entry| entry.generation.get());
    let query = each(query, rows, |entry| Instant(entry.at));
    let query = each(query, rows, |entry| entry.call.stage.as_str());
    let query = each(query, rows, |entry| entry.call.item.as_ref().map(ItemKey::as_str));
    let query = each(query, rows, |entry| entry.call.call.as_bytes().as_slice());
    let query = each(query, rows, |entry| i64::from(entry.call.sample));
    let query = each(query, rows, |entry| i64::from(entry.call.retry));
    let query = each(query, rows, |entry| entry.priced.provider.as_str());
    let query = each(query, rows, |entry| entry.priced.model.as_str());
    let query = each(query, rows, |entry| entry.priced.profile.as_ref().map(ProfileId::to_string));
    let query = each(query, rows, |entry| entry.amounts.cost.get());
    let query = each(query, rows, |entry| entry.amounts.calls);
    let query = each(query, rows, |entry| entry.amounts.input_tokens);
    let query = each(query, rows, |entry| entry.amounts.output_tokens);
    let query = each(query, rows, |entry| entry.usage.map(|usage| int(usage.input_tokens)));
    let query = each(query, rows, |entry| entry.usage.map(|usage| int(usage.cached_input_tokens)));
    let query = each(query, rows, |entry| entry.usage.map(|usage| int(usage.output_tokens)));
    let query = each(query, rows, |entry| entry.estimated);
    let query = bind_stored(query, rows, |entry| entry.answer.as_ref());
    each(query, rows, |entry| entry.usable)
}

pub(crate) fn entry(row: &PgRow) -> Result<Entry, Error> {
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
pub(crate) fn hold(row: &PgRow) -> Result<Hold, Error> {
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
