//! A provider that answers at once, and remembers when.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use koinon::budget::Usage;
use koinon::provider::{Answer, Call, Outcome, Provider};
use koinon::store::{Clock as _, SystemClock};

/// The provider's name.
pub(crate) const NAME: &str = "instant";

/// Answers with the passage's first sentence.
#[derive(Debug)]
pub(crate) struct Instant {
    clock: SystemClock,
    calls: Mutex<Vec<(Duration, Duration)>>,
}

impl Instant {
    pub(crate) fn new() -> Self {
        Self { clock: SystemClock::new(), calls: Mutex::default() }
    }

    /// When each call came and when it was answered, in the order of the answers.
    pub(crate) fn calls(&self) -> Vec<(Duration, Duration)> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

#[async_trait]
impl Provider for Instant {
    fn name(&self) -> &str {
        NAME
    }

    async fn send(&self, call: Call<'_>) -> Outcome {
        let came = self.clock.monotonic();
        let prompt = call.request.messages.last().map_or("", |message| &message.content);
        let passage = prompt.rsplit_once("<<<PASSAGE\n").map_or("", |(_, passage)| passage);
        let first = passage.split_inclusive(". ").next().unwrap_or(passage).trim();
        let text =
            serde_json::json!({"question": "What is said?", "answer": first, "quote": first});
        let usage = Usage { input_tokens: 100, cached_input_tokens: 0, output_tokens: 50 };
        let answer = Answer { text: text.to_string(), usage: Some(usage), response_id: None };
        let mut calls = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
        calls.push((came, self.clock.monotonic()));
        Outcome::Answered(answer)
    }
}
