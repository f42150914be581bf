//! Whether a request was written.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use futures::stream;
use reqwest::Body;

const UNWRITTEN: u8 = 0;
const WRITTEN: u8 = 1;
const CLOSED: u8 = 2;

/// Whether a request was written, settled for good by whoever comes first: the connection that asks
/// for the body, or the caller that has given up.
///
/// The connection asks for the body when it has put the head of the request into its buffer, before
/// it writes any of it. A caller that has closed the gate therefore knows that the server has not got,
/// and will never get, the request, whatever kept it from being sent.
#[derive(Debug, Clone)]
pub(super) struct Gate(Arc<AtomicU8>);

impl Gate {
    pub(super) fn new() -> Self {
        Self(Arc::new(AtomicU8::new(UNWRITTEN)))
    }

    /// A body that passes this gate. Its length is not known from outside: the request names it.
    pub(super) fn body(self, bytes: Vec<u8>) -> Body {
        Body::wrap_stream(stream::once(async move {
            if self.settle(WRITTEN) {
                Ok(bytes)
            } else {
                Err(io::Error::other("the caller has given up"))
            }
        }))
    }

    /// Keeps the request from being written. `false` if that comes too late.
    pub(super) fn close(&self) -> bool {
        self.settle(CLOSED)
    }

    fn settle(&self, to: u8) -> bool {
        self.0.compare_exchange(UNWRITTEN, to, Ordering::AcqRel, Ordering::Acquire).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_comes_first_settles_the_gate_for_good() {
        let written = Gate::new();
        assert!(written.settle(WRITTEN));
        assert!(!written.close());

        let closed = Gate::new();
        assert!(closed.close());
        assert!(!closed.settle(WRITTEN));
    }
}
