//! Sorts complete responses with a status of 400 or above.

use koinon_retry::Class;
use serde_json::Value;

use super::complaint::Complaint;
use super::exchange::Reply;
use super::redactor::Redactor;
use super::retry_after;
use crate::Failure;

/// Codes that say that the account is out of quota or money, with whatever status.
const OUT_OF_QUOTA: &[&str] = &[
    "insufficient_quota",
    "billing_hard_limit_reached",
    "billing_not_active",
    "credit_balance_too_low",
    "insufficient_balance",
    "insufficient_credits",
];

/// Codes that say that a rule of the provider forbids the request.
const FORBIDDEN: &[&str] = &[
    "content_filter",
    "content_policy_violation",
    "responsibleaipolicyviolation",
    "sensitive_content",
];

const TOO_LONG: &[&str] = &["context_length_exceeded"];

/// What a refusal means.
pub(super) fn sort(reply: &Reply, redactor: &Redactor<'_>) -> Failure {
    let body = serde_json::from_slice(&reply.body).unwrap_or(Value::Null);
    let complaint = Complaint::read(&body);
    let (class, code) = classify(reply, &complaint);
    if code == "provider_auth" {
        // Nothing that the server says of a key is shown.
        let message = format!("the server refuses the API key with the status {}", reply.status);
        return Failure::new(class, code, &message);
    }
    let theirs = complaint.codes.iter().find_map(|code| redactor.code(code));
    let says = complaint.message.and_then(|message| redactor.message(message));
    let message = match says {
        Some(says) => format!("the server answered with the status {}: {says}", reply.status),
        None => format!("the server answered with the status {}", reply.status),
    };
    let retry_after = match class {
        Class::Transient | Class::Provider { retryable: true } => retry_after::read(&reply.headers),
        _ => None,
    };
    Failure::new(class, theirs.as_deref().unwrap_or(code), &message).retry_after(retry_after)
}

/// The class, and the code for when the server gives none.
fn classify(reply: &Reply, complaint: &Complaint<'_>) -> (Class, &'static str) {
    if reply.status == 402 || complaint.is_any(OUT_OF_QUOTA) {
        return (Class::QuotaExhausted, "quota_exhausted");
    }
    if complaint.is_any(FORBIDDEN) {
        return (Class::PolicyBlock, "content_filter");
    }
    if complaint.is_any(TOO_LONG) {
        return (Class::Permanent, "context_length_exceeded");
    }
    let (passes, code) = match reply.status {
        401 | 403 => return (Class::Provider { retryable: false }, "provider_auth"),
        429 => (true, "rate_limited"),
        // A lock or an early request on the server's side, which its own client tries again too.
        408 | 409 | 425 => (true, "provider_unavailable"),
        501 | 505 => (false, "provider_refused"),
        500.. => (true, "provider_unavailable"),
        _ => (false, "provider_refused"),
    };
    let class = match (says_whether_to_retry(reply), passes) {
        (Some(retryable), _) if retryable != passes => Class::Provider { retryable },
        (_, true) => Class::Transient,
        (_, false) => Class::Provider { retryable: false },
    };
    (class, code)
}

/// What OpenAI and servers after its model say with each error, for their own clients.
fn says_whether_to_retry(reply: &Reply) -> Option<bool> {
    reply.headers.get("x-should-retry")?.to_str().ok()?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use reqwest::header::HeaderMap;
    use serde_json::json;

    use super::*;
    use crate::{Message, RetryAfter};

    const REFUSED: Class = Class::Provider { retryable: false };

    fn reply(status: u16, error: &Value) -> Reply {
        let body = serde_json::to_vec(&json!({ "error": error })).unwrap();
        Reply { status, headers: HeaderMap::new(), body }
    }

    fn sorted(reply: &Reply) -> Failure {
        sort(reply, &Redactor::new(None, &[Message::user("The prompt of this request.")]))
    }

    #[test]
    fn every_status_has_its_class_and_code() {
        let code = |code: &str| json!({"code": code, "message": "m"});
        let none = json!({"message": "m", "code": null});
        for (status, error, class, expected) in [
            (429, code("rate_limit_exceeded"), Class::Transient, "rate_limit_exceeded"),
            (429, none.clone(), Class::Transient, "rate_limited"),
            (429, code("insufficient_quota"), Class::QuotaExhausted, "insufficient_quota"),
            (
                429,
                json!({"type": "insufficient_quota"}),
                Class::QuotaExhausted,
                "insufficient_quota",
            ),
            (
                400,
                code("billing_hard_limit_reached"),
                Class::QuotaExhausted,
                "billing_hard_limit_reached",
            ),
            (402, none.clone(), Class::QuotaExhausted, "quota_exhausted"),
            (400, code("content_filter"), Class::PolicyBlock, "content_filter"),
            (400, code("content_policy_violation"), Class::PolicyBlock, "content_policy_violation"),
            (400, code("context_length_exceeded"), Class::Permanent, "context_length_exceeded"),
            (400, none.clone(), REFUSED, "provider_refused"),
            (401, code("invalid_api_key"), REFUSED, "provider_auth"),
            (403, none.clone(), REFUSED, "provider_auth"),
            (404, code("model_not_found"), REFUSED, "model_not_found"),
            (413, none.clone(), REFUSED, "provider_refused"),
            (422, none.clone(), REFUSED, "provider_refused"),
            (408, none.clone(), Class::Transient, "provider_unavailable"),
            (409, none.clone(), Class::Transient, "provider_unavailable"),
            (425, none.clone(), Class::Transient, "provider_unavailable"),
            (500, json!("broken"), Class::Transient, "provider_unavailable"),
            (500, code("server_error"), Class::Transient, "server_error"),
            (501, none.clone(), REFUSED, "provider_refused"),
            (502, json!(null), Class::Transient, "provider_unavailable"),
            (503, none.clone(), Class::Transient, "provider_unavailable"),
            (504, none.clone(), Class::Transient, "provider_unavailable"),
            (529, code("overloaded_error"), Class::Transient, "overloaded_error"),
            (599, none.clone(), Class::Transient, "provider_unavailable"),
        ] {
            let failure = sorted(&reply(status, &error));
            assert_eq!(
                (failure.class, failure.code.as_str()),
                (class, expected),
                "{status} {error}"
            );
        }
    }

    #[test]
    fn a_body_that_is_not_json_leaves_the_status_to_decide() {
        let html = Reply { status: 502, headers: HeaderMap::new(), body: b"<html>\xff".to_vec() };
        assert_eq!(sorted(&html).class, Class::Transient);
        assert_eq!(sorted(&html).message, "the server answered with the status 502");
    }

    #[test]
    fn only_what_may_be_tried_again_says_when() {
        for (code, expected) in [
            ("rate_limit_exceeded", Some(RetryAfter::Delay(Duration::from_secs(2)))),
            ("insufficient_quota", None),
        ] {
            let mut reply = reply(429, &json!({"code": code}));
            reply.headers.insert("retry-after", "2".parse().unwrap());
            assert_eq!(sorted(&reply).retry_after, expected);
        }
    }

    #[test]
    fn the_server_may_mark_an_error_as_worth_another_try_or_not() {
        for (status, mark, class) in [
            (500, "false", REFUSED),
            (500, "true", Class::Transient),
            (400, "true", Class::Provider { retryable: true }),
            (400, "maybe", REFUSED),
        ] {
            let mut reply = reply(status, &json!({}));
            reply.headers.insert("x-should-retry", mark.parse().unwrap());
            assert_eq!(sorted(&reply).class, class, "{status} {mark}");
        }
    }

    #[test]
    fn what_the_server_repeats_of_the_prompt_or_key_is_not_shown() {
        let echo = json!({"code": "bad", "message": "cannot do: The prompt of this request."});
        assert_eq!(sorted(&reply(400, &echo)).message, "the server answered with the status 400");
        let key = json!({"code": "abc", "message": "Incorrect API key provided: abc"});
        assert_eq!(
            sorted(&reply(401, &key)).message,
            "the server refuses the API key with the status 401"
        );
    }
}
