//! The JSON that stands in columns and arguments.

use koinon_domain::{Digest, QueueName, TenantId};
use koinon_store::RunningLimits;
use koinon_store::row::json;
use uuid::Uuid;

/// A list of ids, as `unhex(json_each.value)` reads it.
pub(crate) fn ids(ids: impl IntoIterator<Item = Uuid>) -> String {
    let ids: Vec<String> = ids.into_iter().map(|id| id.simple().to_string()).collect();
    json(&ids)
}

/// A list of (tenant, identity).
pub(crate) fn identities<'a>(
    identities: impl IntoIterator<Item = (&'a TenantId, &'a Digest)>,
) -> String {
    let pair =
        |(tenant, identity): (&'a TenantId, &'a Digest)| (tenant.as_str(), identity.to_string());
    json(&identities.into_iter().map(pair).collect::<Vec<_>>())
}

/// A list of texts.
pub(crate) fn texts<'a>(texts: impl IntoIterator<Item = &'a str>) -> String {
    json(&texts.into_iter().collect::<Vec<_>>())
}

/// A list of (queue, how many of its jobs may run, how many of each tenant).
pub(crate) fn limits(queues: &[(QueueName, RunningLimits)]) -> String {
    let one = |(queue, limits): &(QueueName, RunningLimits)| {
        (queue.as_str().to_owned(), limits.running, limits.per_tenant)
    };
    json(&queues.iter().map(one).collect::<Vec<_>>())
}
