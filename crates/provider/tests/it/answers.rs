//! Complete responses, whatever they say, are sorted and never asked for twice.

use std::time::Duration;

use koinon_budget::Usage;
use koinon_provider::{Outcome, RetryAfter, Sent};
use koinon_retry::Class;

use crate::server::{COMPLETION, Server, provider, response, send};

#[tokio::test]
async fn an_answer_is_complete_in_whatever_way_it_is_framed() {
    let chunked = format!(
        "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{}\r\n{:x}\r\n{}\r\n0\r\n\r\n",
        &COMPLETION[..5],
        COMPLETION.len() - 5,
        &COMPLETION[5..]
    );
    let interim = [
        b"HTTP/1.1 100 Continue\r\n\r\n".to_vec(),
        b"HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n".to_vec(),
        response("200 OK", "", COMPLETION),
    ];
    for bytes in [
        response("200 OK", "", COMPLETION),
        chunked.into_bytes(),
        interim.concat(),
        // Source: RFC 9112 section 8, a response without a length is complete when it ends.
        format!("HTTP/1.0 200 OK\r\n\r\n{COMPLETION}").into_bytes(),
    ] {
        let server = Server::answering(bytes).await;
        let Outcome::Answered(answer) = send(&provider(server.base_url())).await else {
            panic!("no answer");
        };
        assert_eq!(answer.text, "well");
        let usage = Usage { input_tokens: 9, cached_input_tokens: 0, output_tokens: 1 };
        assert_eq!(answer.usage, Some(usage));
        assert_eq!(server.requests().len(), 1);
    }
}

#[tokio::test]
async fn a_complete_success_that_is_no_answer_is_charged() {
    for body in ["", "{", "<html>", r#"{"error":{"message":"overloaded","code":503}}"#, "{}"] {
        let server = Server::answering(response("200 OK", "", body)).await;
        let outcome = send(&provider(server.base_url())).await;
        let Outcome::Unusable { failure, usage: None } = outcome else { panic!("{outcome:?}") };
        assert_eq!(failure.class, Class::InvalidOutput, "{body}");
        assert_eq!(server.requests().len(), 1);
    }
}

#[tokio::test]
async fn a_complete_refusal_costs_nothing_and_is_sent_once() {
    let refused = Class::Provider { retryable: false };
    for (status, body, class) in [
        ("400 Bad Request", "{}", refused),
        ("401 Unauthorized", "{}", refused),
        ("404 Not Found", "", refused),
        ("408 Request Timeout", "", Class::Transient),
        ("421 Misdirected Request", "", refused),
        ("429 Too Many Requests", "{}", Class::Transient),
        (
            "429 Too Many Requests",
            r#"{"error":{"code":"insufficient_quota"}}"#,
            Class::QuotaExhausted,
        ),
        ("500 Internal Server Error", "oops", Class::Transient),
        ("503 Service Unavailable", "", Class::Transient),
        ("529 Overloaded", "", Class::Transient),
    ] {
        let server = Server::answering(response(status, "", body)).await;
        let outcome = send(&provider(server.base_url())).await;
        let Outcome::Released { failure, sent: Sent::Answered } = outcome else {
            panic!("{outcome:?}")
        };
        assert_eq!(failure.class, class, "{status}");
        assert_eq!(server.requests().len(), 1, "{status}");
    }
}

#[tokio::test]
async fn a_server_says_when_it_wants_to_be_asked_again() {
    let at = httpdate::parse_http_date("Sunday, 06-Nov-94 08:49:37 GMT").unwrap();
    for (header, expected) in [
        ("retry-after: 2\r\n", RetryAfter::Delay(Duration::from_secs(2))),
        ("retry-after: Sun, 06 Nov 1994 08:49:37 GMT\r\n", RetryAfter::At(at)),
    ] {
        for status in ["429 Too Many Requests", "503 Service Unavailable"] {
            let server = Server::answering(response(status, header, "{}")).await;
            let outcome = send(&provider(server.base_url())).await;
            assert_eq!(outcome.failure().and_then(|f| f.retry_after), Some(expected), "{header}");
        }
    }
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    let elsewhere = Server::answering(response("200 OK", "", COMPLETION)).await;
    for status in ["301 Moved Permanently", "302 Found", "307 Temporary Redirect"] {
        let location = format!("location: {}/chat/completions\r\n", elsewhere.base_url());
        let server = Server::answering(response(status, &location, "")).await;
        let outcome = send(&provider(server.base_url())).await;
        let Outcome::Released { failure, sent: Sent::Answered } = outcome else {
            panic!("{outcome:?}")
        };
        assert_eq!(
            (failure.class, failure.code.as_str()),
            (Class::Permanent, "unexpected_redirect")
        );
        assert_eq!((server.requests().len(), elsewhere.requests().len()), (1, 0));
    }
}
