//! Model providers behind one port: OpenAI-compatible servers and the deterministic offline one.
//!
//! A provider sends one [`Call`] once and sorts what comes of it into an [`Outcome`], which says
//! what the call may have cost. It never tries again: whether another request may be sent is the
//! engine's decision, because each wire request has its own hold.

mod call;
mod error;
mod failure;
mod offline;
mod openai;
mod outcome;
mod provider;
mod providers;
mod request;
mod secret;

pub use call::{Call, CallMetadata};
pub use error::{Error, InvalidBaseUrl};
pub use failure::{Failure, RetryAfter};
pub use offline::{MODEL as OFFLINE_MODEL, NAME as OFFLINE_NAME, Offline};
pub use openai::{OpenAi, OpenAiConfig};
pub use outcome::{Answer, Outcome, Sent};
pub use provider::Provider;
pub use providers::Providers;
pub use request::{Format, MESSAGE_ALLOWANCE_BYTES, Message, Request, Role};
pub use secret::Secret;
