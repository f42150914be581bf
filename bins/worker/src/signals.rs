//! Ctrl-C and SIGTERM.

use koinon::domain::ErrorCode;
use tokio::signal::unix::{Signal, SignalKind, signal};

use crate::refusal::Refusal;

/// The signals that tell the program to stop. From the moment that this exists they no longer end the
/// process by themselves.
#[derive(Debug)]
pub(crate) struct Signals {
    interrupt: Signal,
    terminate: Signal,
}

impl Signals {
    pub(crate) fn listen() -> Result<Self, Refusal> {
        let listen = |kind| {
            signal(kind).map_err(|error| {
                Refusal::new(
                    ErrorCode::PERMANENT,
                    format!("signals cannot be listened to: {error}"),
                )
            })
        };
        Ok(Self {
            interrupt: listen(SignalKind::interrupt())?,
            terminate: listen(SignalKind::terminate())?,
        })
    }

    /// Waits for the next one. Cancel safe.
    pub(crate) async fn next(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }
}
