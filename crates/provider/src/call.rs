//! One wire request, as the engine hands it to a provider.

use std::time::Duration;

use crate::Request;

/// One wire request: what the engine hands to a provider.
#[derive(Debug, Clone)]
pub struct Call<'a> {
    /// What is asked.
    pub request: &'a Request,
    /// Equal over all tries of one call, so that a provider that knows such keys answers once.
    pub idempotency_key: String,
    /// Who asks.
    pub metadata: CallMetadata,
    /// The longest that the whole call may take, from now.
    pub deadline: Duration,
}

/// Who makes a call; it travels with the request, so that the provider's log can be matched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallMetadata {
    /// The job's id.
    pub job: String,
    /// The generation under which the job is held.
    pub generation: i64,
}
