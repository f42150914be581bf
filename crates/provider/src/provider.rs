//! The port of a model provider.

use std::fmt::Debug;

use async_trait::async_trait;

use crate::{Call, Outcome};

/// Something that answers requests, once for each call.
#[async_trait]
pub trait Provider: Send + Sync + Debug {
    /// The name that requests and price profiles know it by.
    fn name(&self) -> &str;

    /// Sends the call at most once and sorts what comes of it.
    ///
    /// # Cancel safety
    ///
    /// A dropped call may have been sent: its hold is in doubt.
    async fn send(&self, call: Call<'_>) -> Outcome;
}
