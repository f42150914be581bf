//! Outcomes with valid defaults.

use std::time::Duration;

use koinon_budget::Usage;
use koinon_provider::{Answer, Failure, Outcome, RetryAfter, Sent};
use koinon_retry::Class;

const USAGE: Usage = Usage { input_tokens: 80, cached_input_tokens: 10, output_tokens: 20 };

/// An answer that used 80 input tokens, 10 of them cached, and 20 output tokens.
pub fn answered(text: &str) -> Outcome {
    let text = text.to_owned();
    Outcome::Answered(Answer { text, usage: Some(USAGE), response_id: None })
}

/// A charged answer that is of no use.
pub fn unusable() -> Outcome {
    let failure = Failure::new(Class::InvalidOutput, "empty_body", "the answer is empty");
    Outcome::Unusable { failure, usage: Some(USAGE) }
}

/// A complete refusal of this class, which costs nothing and may say when to ask again.
pub fn refused(class: Class, retry_after: Option<Duration>) -> Outcome {
    let failure = Failure::new(class, class.as_str(), "the provider refused");
    let failure = failure.retry_after(retry_after.map(RetryAfter::Delay));
    Outcome::Released { failure, sent: Sent::Answered }
}

/// A failure before a byte was written.
pub fn unsent() -> Outcome {
    let failure = Failure::new(Class::Transient, "connection", "nobody listens");
    Outcome::Released { failure, sent: Sent::Before }
}

/// A connection that was cut after the request was sent.
pub fn in_doubt() -> Outcome {
    let failure = Failure::new(Class::Transient, "connection", "the connection was cut");
    Outcome::InDoubt { failure }
}
