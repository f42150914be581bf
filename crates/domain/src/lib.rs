//! The words and rules of Koinon: ids, jobs, the state machine, events, authority.
//!
//! Nothing here knows a clock, randomness, a database or a network.

mod digest;

pub use digest::{Digest, Hasher, InvalidDigest};
