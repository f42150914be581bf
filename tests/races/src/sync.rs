//! What the bulkhead uses of `tokio::sync`.

pub mod watch;

pub use shuttle_tokio::sync::{OwnedSemaphorePermit, Semaphore};
