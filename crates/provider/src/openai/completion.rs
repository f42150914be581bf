//! Sorts complete responses that claim success.

use koinon_budget::Usage;
use koinon_retry::Class;
use serde_json::Value;

use super::complaint::Complaint;
use super::redactor::Redactor;
use crate::{Answer, Failure, Outcome};

/// No call uses so many tokens: a larger number is a server's mistake, and says nothing.
const TOKENS: u64 = 1_000_000_000;

/// The longest id of an answer that is kept.
const ID_CHARS: usize = 200;

/// What a complete response with success means.
pub(super) fn sort(body: &[u8], redactor: &Redactor<'_>) -> Outcome {
    if body.trim_ascii().is_empty() {
        return invalid("the answer has an empty body", None);
    }
    let Ok(body) = serde_json::from_slice::<Value>(body) else {
        return invalid("the answer is not JSON", None);
    };
    let usage = usage(&body);
    if body.get("error").is_some_and(|error| !error.is_null()) {
        return error_body(&body, redactor, usage);
    }
    let Some(choice) = body.get("choices").and_then(|choices| choices.get(0)) else {
        return invalid("the answer has no choices", usage);
    };
    if choice.get("finish_reason").and_then(Value::as_str) == Some("content_filter") {
        let message = "the provider's content filter cut the answer off";
        return unusable(Class::PolicyBlock, "content_filter", message, usage);
    }
    let message = choice.get("message");
    if text_of(message, "refusal").is_some_and(|refusal| !refusal.is_empty()) {
        return unusable(Class::PolicyBlock, "refusal", "the model refuses to answer", usage);
    }
    let Some(text) = text_of(message, "content") else {
        return invalid("the answer has no content", usage);
    };
    Outcome::Answered(Answer {
        text: text.to_owned(),
        // No request is free of input: a server that counts none does not count.
        usage: usage.filter(|usage| usage.input_tokens > 0),
        response_id: body.get("id").and_then(Value::as_str).and_then(response_id),
    })
}

fn error_body(body: &Value, redactor: &Redactor<'_>, usage: Option<Usage>) -> Outcome {
    let says = Complaint::read(body).message.and_then(|message| redactor.message(message));
    match says {
        Some(says) => invalid(&format!("the answer is an error: {says}"), usage),
        None => invalid("the answer is an error", usage),
    }
}

fn invalid(message: &str, usage: Option<Usage>) -> Outcome {
    unusable(Class::InvalidOutput, "invalid_output", message, usage)
}

fn unusable(class: Class, code: &str, message: &str, usage: Option<Usage>) -> Outcome {
    Outcome::Unusable { failure: Failure::new(class, code, message), usage }
}

fn text_of<'a>(message: Option<&'a Value>, field: &str) -> Option<&'a str> {
    message?.get(field)?.as_str()
}

/// The usage, if the server gives one that can be.
fn usage(body: &Value) -> Option<Usage> {
    let usage = body.get("usage")?;
    let tokens = |value: Option<&Value>| value?.as_u64().filter(|tokens| *tokens <= TOKENS);
    let input_tokens = tokens(usage.get("prompt_tokens"))?;
    let output_tokens = tokens(usage.get("completion_tokens"))?;
    let details = usage.get("prompt_tokens_details");
    let cached = tokens(details.and_then(|details| details.get("cached_tokens"))).unwrap_or(0);
    Some(Usage { input_tokens, cached_input_tokens: cached.min(input_tokens), output_tokens })
}

fn response_id(id: &str) -> Option<String> {
    let id: String = id.chars().filter(|c| !c.is_control()).take(ID_CHARS).collect();
    (!id.is_empty()).then_some(id)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::Message;

    fn sorted(body: &[u8]) -> Outcome {
        sort(body, &Redactor::new(None, &[Message::user("The prompt of this request.")]))
    }

    fn answered(body: &Value) -> Answer {
        match sorted(body.to_string().as_bytes()) {
            Outcome::Answered(answer) => answer,
            other => panic!("{other:?}"),
        }
    }

    fn unusable(body: &[u8]) -> (Failure, Option<Usage>) {
        match sorted(body) {
            Outcome::Unusable { failure, usage } => (failure, usage),
            other => panic!("{other:?}"),
        }
    }

    fn completion() -> Value {
        json!({
            "id": "chatcmpl-1",
            "choices": [{
                "message": {"role": "assistant", "content": "yes", "refusal": null},
                "finish_reason": "stop"
            }],
            "usage": {
                "prompt_tokens": 12_000,
                "completion_tokens": 500,
                "prompt_tokens_details": {"cached_tokens": 9_000}
            }
        })
    }

    const USAGE: Usage =
        Usage { input_tokens: 12_000, cached_input_tokens: 9_000, output_tokens: 500 };

    #[test]
    fn an_answer_has_its_text_usage_and_id() {
        assert_eq!(
            answered(&completion()),
            Answer {
                text: "yes".to_owned(),
                usage: Some(USAGE),
                response_id: Some("chatcmpl-1".to_owned())
            }
        );
    }

    #[test]
    fn an_answer_that_was_cut_at_its_length_is_still_an_answer() {
        let mut body = completion();
        body["choices"][0]["finish_reason"] = json!("length");
        assert_eq!(answered(&body).text, "yes");
    }

    #[test]
    fn cached_tokens_are_never_more_than_the_input() {
        let mut body = completion();
        body["usage"]["prompt_tokens"] = json!(10);
        assert_eq!(answered(&body).usage.map(|usage| usage.cached_input_tokens), Some(10));
        for details in [json!(null), json!({}), json!({"cached_tokens": -1}), json!(7)] {
            body["usage"]["prompt_tokens_details"] = details;
            assert_eq!(answered(&body).usage.map(|usage| usage.cached_input_tokens), Some(0));
        }
    }

    #[test]
    fn usage_that_cannot_be_says_nothing() {
        for usage in [
            json!(null),
            json!("many"),
            json!({"prompt_tokens": 5}),
            json!({"prompt_tokens": -5, "completion_tokens": 1}),
            json!({"prompt_tokens": 5.5, "completion_tokens": 1}),
            json!({"prompt_tokens": u64::MAX, "completion_tokens": 1}),
            json!({"prompt_tokens": 0, "completion_tokens": 0}),
        ] {
            let mut body = completion();
            body["usage"] = usage;
            assert_eq!(answered(&body).usage, None, "{body}");
        }
    }

    #[test]
    fn a_success_that_is_no_answer_is_invalid_output() {
        for body in
            ["", " \n", "{", "data: {}", "[]", "null", "{}", r#"{"choices": []}"#, "\u{feff}"]
        {
            let (failure, usage) = unusable(body.as_bytes());
            assert_eq!((failure.class, usage), (Class::InvalidOutput, None), "{body}");
            assert_eq!(failure.code, "invalid_output");
        }
        assert_eq!(unusable(b"\xff\xfe").0.class, Class::InvalidOutput);
        assert_eq!(unusable("[".repeat(100_000).as_bytes()).0.class, Class::InvalidOutput);
    }

    #[test]
    fn a_success_that_is_no_answer_keeps_its_usage() {
        for content in [json!(null), json!(7), json!([{"type": "text"}])] {
            let mut body = completion();
            body["choices"][0]["message"]["content"] = content;
            let (failure, usage) = unusable(body.to_string().as_bytes());
            assert_eq!((failure.class, usage), (Class::InvalidOutput, Some(USAGE)));
        }
        let mut body = completion();
        body["error"] = json!({"message": "upstream is down", "code": "upstream"});
        let (failure, usage) = unusable(body.to_string().as_bytes());
        assert_eq!((failure.class, usage), (Class::InvalidOutput, Some(USAGE)));
        assert_eq!(failure.message, "the answer is an error: upstream is down");
    }

    #[test]
    fn an_error_in_a_success_does_not_repeat_the_prompt() {
        let body = json!({"error": "cannot do: The prompt of this request."});
        assert_eq!(unusable(body.to_string().as_bytes()).0.message, "the answer is an error");
    }

    #[test]
    fn a_refusal_and_a_filtered_answer_are_policy_blocks() {
        let mut refused = completion();
        refused["choices"][0]["message"]["refusal"] = json!("I cannot.");
        let mut filtered = completion();
        filtered["choices"][0]["finish_reason"] = json!("content_filter");
        for (body, code) in [(refused, "refusal"), (filtered, "content_filter")] {
            let (failure, usage) = unusable(body.to_string().as_bytes());
            assert_eq!((failure.class, usage), (Class::PolicyBlock, Some(USAGE)));
            assert_eq!(failure.code, code);
        }
    }
}
