//! The offline provider: it makes a question and its answer out of the text it is shown, without a
//! model, a network or chance.

mod blocks;
mod markup;
mod passage;
mod question;
mod score;
mod sentences;
mod terms;
mod vocabulary;

use async_trait::async_trait;
use koinon_budget::Usage;
use koinon_retry::Class;
use serde::Serialize;

use self::passage::Prompt;
use self::question::Lead;
use crate::{Answer, Call, Failure, Outcome, Provider, Request, Sent};

/// The name of the offline provider.
pub const NAME: &str = "offline";

/// Its only model.
pub const MODEL: &str = "extractive-1";

/// How many bytes count as a token.
const TOKEN_BYTES: usize = 4;

/// Answers with a sentence of the passage and a question made from that sentence.
///
/// The passage is what stands between the lines `<<<PASSAGE` and `PASSAGE>>>` of the last user
/// message; a line `Kind: definition` (or `procedural`, `factual`) before it says which sentences are
/// wanted most. The answer is the JSON object `{"question", "answer", "quote"}`, where answer and
/// quote are the sentence as it stands, on one line.
#[derive(Debug, Clone, Copy, Default)]
pub struct Offline;

#[derive(Serialize)]
struct Pair<'a> {
    question: &'a str,
    answer: &'a str,
    quote: &'a str,
}

impl Offline {
    /// The offline provider.
    #[must_use]
    pub const fn new() -> Self {
        Self
    }
}

#[async_trait]
impl Provider for Offline {
    fn name(&self) -> &str {
        NAME
    }

    async fn send(&self, call: Call<'_>) -> Outcome {
        answer(call.request)
    }
}

fn answer(request: &Request) -> Outcome {
    if request.model != MODEL {
        let message = format!("the offline provider has one model, {MODEL}");
        let failure = Failure::new(Class::Permanent, "model_not_found", &message);
        return Outcome::Released { failure, sent: Sent::Before };
    }
    let input_bytes = request.messages.iter().map(|message| message.content.len()).sum();
    let Some(prompt) = Prompt::read(request) else {
        return unusable("the last user message has no passage", input_bytes);
    };
    let room = usize::try_from(request.max_output_tokens)
        .unwrap_or(usize::MAX)
        .saturating_mul(TOKEN_BYTES);
    let pair = ranked(&prompt)
        .into_iter()
        .filter_map(|sentence| pair(sentence, prompt.passage))
        .find(|text| text.len() <= room);
    match pair {
        Some(text) => {
            let usage = Some(usage(input_bytes, text.len()));
            Outcome::Answered(Answer { text, usage, response_id: None })
        }
        None => unusable("the passage has no text that fits into the answer", input_bytes),
    }
}

/// The sentences of the passage, best first; equally good ones in the order of the text. Where there
/// are none, its lines.
fn ranked<'a>(prompt: &Prompt<'a>) -> Vec<&'a str> {
    let passage = prompt.passage;
    let mut found: Vec<&str> = blocks::prose(passage)
        .into_iter()
        .flat_map(|block| sentences::split(&passage[block]))
        .filter(|sentence| sentence.contains(char::is_alphabetic))
        .collect();
    if found.is_empty() {
        found = passage
            .lines()
            .map(sentences::shorten)
            .filter(|line| line.contains(char::is_alphanumeric))
            .collect();
    }
    found.sort_by_cached_key(|sentence| -score::of(sentence, prompt.kind));
    found
}

/// The answer that this sentence makes.
fn pair(sentence: &str, passage: &str) -> Option<String> {
    let quote = one_line(sentence);
    let plain = markup::strip(&quote);
    let question = question::ask(&Lead::of(&quote, &plain), &plain, passage);
    serde_json::to_string(&Pair { question: &question, answer: &quote, quote: &quote }).ok()
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn unusable(message: &str, input_bytes: usize) -> Outcome {
    Outcome::Unusable {
        failure: Failure::new(Class::InvalidOutput, "invalid_output", message),
        usage: Some(usage(input_bytes, 0)),
    }
}

fn usage(input_bytes: usize, output_bytes: usize) -> Usage {
    let tokens = |bytes: usize| bytes.div_ceil(TOKEN_BYTES) as u64;
    Usage {
        input_tokens: tokens(input_bytes),
        cached_input_tokens: 0,
        output_tokens: tokens(output_bytes),
    }
}

#[cfg(test)]
mod tests;
