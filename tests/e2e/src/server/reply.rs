//! What the server does with a request.

use std::time::Duration;

use serde_json::{Value, json};

use super::http::response;
use super::log::Asked;

/// What the server does with a request, and when.
#[derive(Debug, Clone)]
pub struct Reply {
    pub(super) after: Duration,
    pub(super) how: How,
}

#[derive(Debug, Clone)]
pub(super) enum How {
    /// Sends a complete response.
    Respond(Vec<u8>),
    /// Sends this much and closes the connection.
    Cut(Vec<u8>),
}

impl Reply {
    /// Answers with the passage's first sentence.
    #[must_use]
    pub fn answer(asked: &Asked) -> Self {
        let usage = json!({"prompt_tokens": 400, "completion_tokens": 60, "total_tokens": 460});
        Self::answer_using(asked, &usage)
    }

    /// Answers with the passage's first sentence, and says that it used so much.
    #[must_use]
    pub fn answer_using(asked: &Asked, usage: &Value) -> Self {
        Self::completion(asked, &answer_to(&asked.passage), usage)
    }

    /// Answers with the passage's first sentence, and so much beside it that no row holds it.
    #[must_use]
    pub fn long_answer(asked: &Asked) -> Self {
        let mut answer = answer_to(&asked.passage);
        answer["thoughts"] = "so many words ".repeat(1_500).into();
        let usage = json!({"prompt_tokens": 400, "completion_tokens": 60, "total_tokens": 460});
        Self::completion(asked, &answer, &usage)
    }

    /// Answers with this object, and says that it used so much.
    #[must_use]
    pub fn completion(asked: &Asked, answer: &Value, usage: &Value) -> Self {
        let body = json!({
            // Another one each time, as a real server's: nothing that is exported may depend on it.
            "id": format!("chatcmpl-{}-{}", asked.number, asked.at_us),
            "object": "chat.completion",
            "created": asked.at_us / 1_000_000,
            "model": asked.body["model"],
            "choices": [{
                "index": 0,
                "message": {"role": "assistant", "content": answer.to_string()},
                "finish_reason": "stop",
            }],
            "usage": usage,
        });
        Self::body(&body.to_string())
    }

    /// Answers 200 with these bytes.
    #[must_use]
    pub fn body(body: &str) -> Self {
        Self::status(200, &[], body)
    }

    /// Answers with a status, headers and a body.
    #[must_use]
    pub fn status(status: u16, headers: &[(&str, &str)], body: &str) -> Self {
        Self { after: Duration::ZERO, how: How::Respond(response(status, headers, body)) }
    }

    /// Refuses with an error in OpenAI's form.
    #[must_use]
    pub fn error(status: u16, headers: &[(&str, &str)], code: &str) -> Self {
        let body = json!({"error": {"message": "refused", "type": code, "code": code}});
        Self::status(status, headers, &body.to_string())
    }

    /// Closes the connection without a byte of an answer.
    #[must_use]
    pub const fn cut() -> Self {
        Self { after: Duration::ZERO, how: How::Cut(Vec::new()) }
    }

    /// Answers, and closes the connection in the middle of the body.
    #[must_use]
    pub fn cut_in_body(asked: &Asked) -> Self {
        let mut reply = Self::answer(asked);
        if let How::Respond(bytes) = &reply.how {
            reply.how = How::Cut(bytes[..bytes.len() - 40].to_vec());
        }
        reply
    }

    /// The same, later.
    #[must_use]
    pub const fn after(mut self, delay: Duration) -> Self {
        self.after = delay;
        self
    }
}

/// The object that a model would write about this passage. The question is always the same one.
#[must_use]
pub fn answer_to(passage: &str) -> Value {
    let sentence = first_sentence(passage);
    json!({"question": "What does the passage say?", "answer": sentence, "quote": sentence})
}

/// The passage up to its first full stop that ends a sentence.
#[must_use]
pub fn first_sentence(passage: &str) -> &str {
    passage.split_inclusive('.').next().unwrap_or(passage).trim()
}
