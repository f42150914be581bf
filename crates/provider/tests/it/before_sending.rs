//! Whatever happens before the request was written costs nothing.

use std::time::Duration;

use koinon_provider::{Failure, OpenAi, Outcome, Provider as _, Sent};
use koinon_retry::Class;

use crate::server::{Event, Server, Step, call, provider, request, send};

#[track_caller]
fn released(outcome: Outcome) -> Failure {
    match outcome {
        Outcome::Released { failure, sent: Sent::Before } => failure,
        other => panic!("{other:?}"),
    }
}

async fn assert_connection_failed(provider: &OpenAi) {
    let failure = released(send(provider).await);
    assert_eq!((failure.class, failure.code.as_str()), (Class::Transient, "connection_failed"));
    assert!(!failure.message.contains("http"), "no URL: {}", failure.message);
}

#[tokio::test]
async fn a_refused_connection_costs_nothing() {
    let port = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    assert_connection_failed(&provider(format!("http://{port}/v1"))).await;
}

#[tokio::test]
async fn a_name_that_does_not_resolve_costs_nothing() {
    // Source: RFC 1035 section 2.3.4, no label has more than 63 bytes: no server needs to be asked.
    let name = "a".repeat(64);
    assert_connection_failed(&provider(format!("http://{name}.invalid/v1"))).await;
}

#[tokio::test]
async fn a_failed_handshake_costs_nothing() {
    let banner = Step::Write(b"HTTP/1.1 400 Bad Request\r\n\r\n".to_vec());
    for steps in [vec![Step::Await, banner], vec![Step::Await], vec![]] {
        let server = Server::start(vec![steps]).await;
        let provider = provider(format!("https://127.0.0.1:{}/v1", server.port()));
        assert_connection_failed(&provider).await;
        assert_eq!(server.requests().len(), 0);
    }
}

#[tokio::test]
async fn a_handshake_that_never_ends_costs_nothing() {
    let mut server = Server::start(vec![vec![Step::Hold]]).await;
    let provider = provider(format!("https://127.0.0.1:{}/v1", server.port()));
    let late = async {
        server.wait_for(Event::Accepted).await;
        tokio::time::pause();
        tokio::time::advance(Duration::from_secs(60)).await;
    };
    let (outcome, ()) = tokio::join!(send(&provider), late);
    assert_eq!(released(outcome).code, "connection_failed");
}

#[tokio::test]
async fn a_deadline_that_has_passed_sends_nothing() {
    let server = Server::start(vec![]).await;
    let provider = provider(server.base_url());
    let request = request();
    let mut call = call(&request);
    call.deadline = Duration::ZERO;
    let failure = released(provider.send(call).await);
    assert_eq!((failure.class, failure.code.as_str()), (Class::Transient, "timeout"));
    assert_eq!(server.requests().len(), 0);
}

#[tokio::test]
async fn a_key_that_no_header_can_hold_sends_nothing() {
    let server = Server::start(vec![]).await;
    let provider = provider(server.base_url());
    let request = request();
    let mut call = call(&request);
    call.idempotency_key = "line\nbreak".to_owned();
    let failure = released(provider.send(call).await);
    assert_eq!((failure.class, failure.code.as_str()), (Class::Permanent, "invalid_request"));
}
