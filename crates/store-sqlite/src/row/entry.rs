//! Lines of the ledger, and the holds that they add up to.

use koinon_budget::ProfileId;
use koinon_domain::ItemKey;
use koinon_store::Entry;
use koinon_store::row::int;

use super::bytes::bind_stored;
use crate::statement::Query;

/// Adds the arguments of a new entry.
pub(crate) fn bind_entry<'a>(query: Query<'a>, entry: &'a Entry) -> Query<'a> {
    let query = query
        .bind(entry.job.as_uuid())
        .bind(entry.hold.as_uuid())
        .bind(entry.kind.as_str())
        .bind(entry.generation.get())
        .bind(entry.at.as_micros())
        .bind(entry.call.stage.as_str())
        .bind(entry.call.item.as_ref().map(ItemKey::as_str))
        .bind(entry.call.call.as_bytes().as_slice())
        .bind(i64::from(entry.call.sample))
        .bind(i64::from(entry.call.retry))
        .bind(entry.priced.provider.as_str())
        .bind(entry.priced.model.as_str())
        .bind(entry.priced.profile.as_ref().map(ProfileId::as_str))
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
