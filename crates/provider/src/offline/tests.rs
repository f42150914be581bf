use std::time::Duration;

use proptest::prelude::*;

use super::*;
use crate::{CallMetadata, Format, Message};

const TEXT: &str = "# Leases\n\nA **lease** is the stored right of one worker\nto write for a job. Is it for good?\n\n\
                    - To renew it, the worker sends a heartbeat every 15 seconds.\n\
                    - Nobody else may write, e.g. Peter.\n\n```sh\nkoinon job list\n```\n";

fn request(kind: &str, passage: &str) -> Request {
    Request {
        provider: NAME.to_owned(),
        model: MODEL.to_owned(),
        messages: vec![
            Message::system("Make a question."),
            Message::user(format!("Kind: {kind}\n<<<PASSAGE\n{passage}\nPASSAGE>>>")),
        ],
        max_output_tokens: 512,
        format: Format::JsonObject,
    }
}

/// Question, answer and quote.
fn pair_of(kind: &str, passage: &str) -> [String; 3] {
    let Outcome::Answered(answered) = answer(&request(kind, passage)) else {
        panic!("no answer");
    };
    let pair: serde_json::Value = serde_json::from_str(&answered.text).unwrap();
    ["question", "answer", "quote"].map(|field| pair[field].as_str().unwrap().to_owned())
}

#[tokio::test]
async fn it_answers_under_its_name() {
    let request = request("factual", TEXT);
    let call = Call {
        request: &request,
        idempotency_key: String::new(),
        metadata: CallMetadata { job: String::new(), generation: 1 },
        deadline: Duration::ZERO,
    };
    assert_eq!(Offline::new().name(), "offline");
    assert!(matches!(Offline::new().send(call).await, Outcome::Answered(_)));
}

#[test]
fn each_kind_gets_a_sentence_of_the_text_and_its_question() {
    let definition = "A **lease** is the stored right of one worker to write for a job.";
    assert_eq!(
        pair_of("definition", TEXT),
        ["What is a lease, in terms of stored and worker?", definition, definition]
    );
    let procedural = "To renew it, the worker sends a heartbeat every 15 seconds.";
    assert_eq!(
        pair_of("procedural", TEXT),
        ["How do you renew it, and what part do heartbeat and 15 play?", procedural, procedural]
    );
    let [_, _, quote] = pair_of("unheard of", TEXT);
    assert!(one_line(TEXT).contains(&quote));
}

#[test]
fn the_same_request_always_gets_the_same_answer() {
    assert_eq!(answer(&request("factual", TEXT)), answer(&request("factual", TEXT)));
}

#[test]
fn tokens_are_counted_by_bytes() {
    let request = request("factual", TEXT);
    let bytes: usize = request.messages.iter().map(|message| message.content.len()).sum();
    let Outcome::Answered(answered) = answer(&request) else { panic!("no answer") };
    assert_eq!(answered.usage, Some(usage(bytes, answered.text.len())));
    assert_eq!(usage(5, 8), Usage { input_tokens: 2, cached_input_tokens: 0, output_tokens: 2 });
}

#[test]
fn an_answer_stays_within_its_bound() {
    for max_output_tokens in 1..=80 {
        let request = Request { max_output_tokens, ..request("factual", TEXT) };
        if let Outcome::Answered(answered) = answer(&request) {
            assert!(answered.usage.unwrap().output_tokens <= u64::from(max_output_tokens));
        }
    }
}

#[test]
fn a_text_without_sentences_still_gives_its_lines() {
    for (text, quote) in [
        ("```sh\nkoinon job list\n```", "koinon job list"),
        ("| name | size |\n|---|---|", "| name | size |"),
        ("1234", "1234"),
    ] {
        assert_eq!(pair_of("factual", text)[2], quote);
    }
}

#[test]
fn without_any_text_there_is_no_answer() {
    let no_passage = Request { messages: vec![Message::user("hello")], ..request("factual", "") };
    for request in [no_passage, request("factual", ""), request("factual", " \n--- |\n…")] {
        let Outcome::Unusable { failure, usage: Some(_) } = answer(&request) else {
            panic!("an answer");
        };
        assert_eq!(failure.class, Class::InvalidOutput);
    }
}

#[test]
fn another_model_is_refused() {
    let request = Request { model: "gpt-5".to_owned(), ..request("factual", TEXT) };
    assert!(matches!(answer(&request), Outcome::Released { sent: Sent::Before, .. }));
}

proptest! {
    #[test]
    fn any_text_gives_a_quote_of_itself_or_no_answer(
        text in r"(\PC|[\n\t #*_`\[\]()|>.!?,:;-]|To |If |Run |is a |[a-zäß]{1,9} |你好。){0,120}",
        kind in "(factual|definition|procedural)",
    ) {
        if let Outcome::Answered(answered) = answer(&request(&kind, &text)) {
            let pair: serde_json::Value = serde_json::from_str(&answered.text).unwrap();
            let [question, answer, quote] =
                ["question", "answer", "quote"].map(|field| pair[field].as_str().unwrap());
            prop_assert_eq!(answer, quote);
            prop_assert!(!quote.is_empty() && one_line(&text).contains(quote), "{}", quote);
            prop_assert!(question.ends_with('?'));
        }
    }
}
