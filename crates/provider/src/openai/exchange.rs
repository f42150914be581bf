//! One HTTP exchange: the request out, the complete response in.

use std::error::Error as _;
use std::time::Duration;

use koinon_retry::Class;
use reqwest::header::HeaderMap;
use reqwest::{Client, Request};
use tokio::time::timeout;

use crate::Failure;

/// The largest response that is read.
const RESPONSE_BYTES: usize = 8 * 1024 * 1024;

/// A complete response.
#[derive(Debug)]
pub(super) struct Reply {
    pub(super) status: u16,
    pub(super) headers: HeaderMap,
    pub(super) body: Vec<u8>,
}

/// Why there is no complete response.
#[derive(Debug)]
pub(super) enum Cut {
    /// The deadline passed.
    Deadline,
    /// The response is larger than what is read.
    TooLarge,
    /// The connection could not be made, was lost, or carried something else than HTTP.
    Connection(reqwest::Error),
}

/// Sends the request and reads the whole response, within `deadline`.
pub(super) async fn run(
    client: &Client,
    request: Request,
    deadline: Duration,
) -> Result<Reply, Cut> {
    // A timer has ticks: one that is due at once still gives a fast connection time to write.
    if deadline.is_zero() {
        return Err(Cut::Deadline);
    }
    timeout(deadline, exchange(client, request)).await.unwrap_or(Err(Cut::Deadline))
}

async fn exchange(client: &Client, request: Request) -> Result<Reply, Cut> {
    let mut response = client.execute(request).await.map_err(Cut::Connection)?;
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(Cut::Connection)? {
        if body.len() + chunk.len() > RESPONSE_BYTES {
            return Err(Cut::TooLarge);
        }
        body.extend_from_slice(&chunk);
    }
    let status = response.status().as_u16();
    Ok(Reply { status, headers: std::mem::take(response.headers_mut()), body })
}

impl Cut {
    /// The failure, when nothing was written.
    pub(super) fn before_sending(&self) -> Failure {
        match self {
            Self::Deadline => {
                transient("timeout", "the deadline passed before the request was written")
            }
            Self::Connection(error) => transient(
                "connection_failed",
                &format!("the request could not be sent: {}", reason(error)),
            ),
            Self::TooLarge => self.after_sending(),
        }
    }

    /// The failure, when the request may have been written.
    pub(super) fn after_sending(&self) -> Failure {
        match self {
            Self::Deadline => {
                transient("timeout", "the deadline passed before the answer was here")
            }
            Self::TooLarge => transient("response_too_large", "the answer is larger than 8 MiB"),
            Self::Connection(error) => transient(
                "connection_cut",
                &format!("the request was sent and not fully answered: {}", reason(error)),
            ),
        }
    }
}

fn transient(code: &str, message: &str) -> Failure {
    Failure::new(Class::Transient, code, message)
}

/// The innermost cause, which is what the system or the protocol says. The outer ones only repeat
/// that a request failed, and name the URL.
fn reason(error: &reqwest::Error) -> String {
    let Some(mut cause) = error.source() else {
        return "the connection failed".to_owned();
    };
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    cause.to_string()
}
