//! What the server remembers.

use std::sync::{Mutex, PoisonError};

use serde_json::Value;
use tokio::sync::watch;

use super::http::Request;
use crate::clock;

/// A request as the script sees it.
#[derive(Debug, Clone)]
pub struct Asked {
    /// Its place in the order of arrival, from 0.
    pub number: usize,
    /// When it had been read completely: microseconds since 1970.
    pub at_us: i64,
    /// Its `Idempotency-Key`.
    pub key: String,
    /// Its `Authorization`.
    pub authorization: Option<String>,
    /// Its body.
    pub body: Value,
    /// The passage in its last user message.
    pub passage: String,
}

/// What became of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// It is under way.
    Open,
    /// A complete response was sent.
    Responded,
    /// The script cut the connection.
    Cut,
    /// The client was gone before the response was sent.
    Unheard,
}

/// A request and what became of it.
#[derive(Debug, Clone)]
pub struct Logged {
    /// The request.
    pub asked: Asked,
    /// What became of it.
    pub outcome: Outcome,
}

/// All requests of a server.
#[derive(Debug, Default)]
pub(super) struct Log {
    entries: Mutex<Entries>,
    changed: watch::Sender<usize>,
}

#[derive(Debug, Default)]
struct Entries {
    all: Vec<Logged>,
    most_at_once: usize,
}

impl Log {
    /// Takes a request down.
    pub(super) fn arrived(&self, request: &Request) -> Asked {
        let asked = self.with(|entries| {
            let asked = asked(entries.all.len(), request);
            entries.all.push(Logged { asked: asked.clone(), outcome: Outcome::Open });
            let open = entries.all.iter().filter(|one| one.outcome == Outcome::Open).count();
            entries.most_at_once = entries.most_at_once.max(open);
            asked
        });
        self.changed.send_modify(|changes| *changes += 1);
        asked
    }

    /// Takes down what became of it.
    pub(super) fn ended(&self, number: usize, outcome: Outcome) {
        self.with(|entries| entries.all[number].outcome = outcome);
        self.changed.send_modify(|changes| *changes += 1);
    }

    pub(super) fn all(&self) -> Vec<Logged> {
        self.with(|entries| entries.all.clone())
    }

    pub(super) fn most_at_once(&self) -> usize {
        self.with(|entries| entries.most_at_once)
    }

    pub(super) fn changes(&self) -> watch::Receiver<usize> {
        self.changed.subscribe()
    }

    fn with<T>(&self, work: impl FnOnce(&mut Entries) -> T) -> T {
        work(&mut self.entries.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Reads a request, and holds it against what the protocol promises.
fn asked(number: usize, request: &Request) -> Asked {
    assert_eq!(request.line, "POST /v1/chat/completions HTTP/1.1");
    let key = request.header("idempotency-key").expect("an Idempotency-Key").to_owned();
    let authorization = request.header("authorization").map(str::to_owned);
    let body: Value = serde_json::from_slice(&request.body).expect("a JSON body");
    for field in ["model", "messages", "max_tokens", "temperature", "response_format"] {
        assert!(body.get(field).is_some(), "a request has no {field}: {body}");
    }
    assert_eq!(body["temperature"], 0);
    let messages = body["messages"].as_array().expect("messages");
    let last = messages.iter().rfind(|message| message["role"] == "user").expect("a user message");
    let content = last["content"].as_str().expect("its text");
    let (_, passage) = content.split_once("\n<<<PASSAGE\n").expect("the line before the passage");
    let passage =
        passage.strip_suffix("\nPASSAGE>>>").expect("the line after the passage").to_owned();
    Asked { number, at_us: clock::now_us(), key, authorization, body, passage }
}
