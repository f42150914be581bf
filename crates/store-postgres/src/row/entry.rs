//! Lines of the ledger, and the holds that they add up to.

use koinon_budget::ProfileId;
use koinon_domain::ItemKey;
use koinon_store::Entry;
use koinon_store::row::int;

use super::bytes::bind_stored;
use super::each::each;
use super::instant::Instant;
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
