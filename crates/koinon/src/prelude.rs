//! What most programs that embed Koinon need.

pub use async_trait::async_trait;
pub use koinon_budget::{Limits, NanoUsd, Profile};
pub use koinon_domain::{Digest, ErrorCode, ItemKey, JobId, Kind, ProjectId, QueueName, State};
pub use koinon_provider::{Format, Message, Request};
pub use koinon_runner::{
    Answer, Drained, Driven, Failure, Item, JobContext, JobError, Rejected, Until, Worker, Workload,
};

pub use crate::settings::{Flags, Settings};
pub use crate::{Builder, Koinon, Sources, Submit};
