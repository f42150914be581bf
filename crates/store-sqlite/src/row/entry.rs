//! Lines of the ledger, and the holds that they add up to.

use koinon_budget::ProfileId;
use koinon_domain::ItemKey;
use koinon_store::Entry;
use koinon_store::row::int;

use super::bytes::bind_stored;
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
