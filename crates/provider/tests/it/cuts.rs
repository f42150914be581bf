//! Whatever happens once the request may have been written leaves the call in doubt.

use koinon_provider::{Failure, Outcome};
use koinon_retry::Class;

use crate::server::{COMPLETION, DEADLINE, Event, Server, Step, provider, response, send};

#[track_caller]
fn in_doubt(outcome: Outcome) -> Failure {
    match outcome {
        Outcome::InDoubt { failure } => {
            assert_eq!(failure.class, Class::Transient);
            failure
        }
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_connection_that_is_closed_before_the_request_was_read_leaves_it_in_doubt() {
    let server = Server::start(vec![vec![Step::Await]]).await;
    assert_eq!(in_doubt(send(&provider(server.base_url())).await).code, "connection_cut");
    assert_eq!(server.requests().len(), 0);
}

#[tokio::test]
async fn a_response_that_is_cut_anywhere_leaves_the_call_in_doubt() {
    let chunked = format!(
        "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n{:x}\r\n{COMPLETION}\r\n0\r\n\r\n",
        COMPLETION.len()
    );
    let whole = [
        response("200 OK", "", COMPLETION),
        chunked.into_bytes(),
        response("500 Internal Server Error", "", r#"{"error":{"code":"server_error"}}"#),
        response("429 Too Many Requests", "retry-after: 2\r\n", r#"{"error":"slow down"}"#),
    ];
    for whole in whole {
        for length in 0..whole.len() {
            let server = Server::answering(&whole[..length]).await;
            let failure = in_doubt(send(&provider(server.base_url())).await);
            assert_eq!(failure.code, "connection_cut", "after {length} bytes");
            assert_eq!(server.requests().len(), 1, "after {length} bytes");
        }
    }
}

#[tokio::test]
async fn what_is_not_http_leaves_the_call_in_doubt() {
    let huge_head = format!("HTTP/1.1 200 OK\r\nx: {}\r\n\r\n", "y".repeat(1024 * 1024));
    for garbage in [
        "SSH-2.0-OpenSSH_9.9\r\n\r\n",
        "HTTP/1.1 200 OK\r\n: \r\n\r\n",
        "HTTP/1.1 200 OK\r\ncontent-length: many\r\n\r\n{}",
        "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nnot a length\r\n",
        "HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n",
        "\0\0\0\0",
        &huge_head,
    ] {
        let server = Server::answering(garbage).await;
        in_doubt(send(&provider(server.base_url())).await);
        assert_eq!(server.requests().len(), 1, "{garbage:.60}");
    }
}

#[tokio::test]
async fn a_response_that_is_too_large_leaves_the_call_in_doubt() {
    let body = " ".repeat(9 * 1024 * 1024);
    let chunked = format!(
        "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n{:x}\r\n{body}\r\n0\r\n\r\n",
        body.len()
    );
    for bytes in [response("200 OK", "", &body), chunked.into_bytes()] {
        let server = Server::answering(bytes).await;
        let failure = in_doubt(send(&provider(server.base_url())).await);
        assert_eq!(failure.code, "response_too_large");
        assert_eq!(server.requests().len(), 1);
    }
}

#[tokio::test]
async fn an_answer_that_does_not_come_in_time_leaves_the_call_in_doubt() {
    let whole = response("200 OK", "", COMPLETION);
    for length in [0, 9, 20, whole.len() - 1] {
        let part = Step::Write(whole[..length].to_vec());
        let mut server = Server::start(vec![vec![Step::Read, part, Step::Hold]]).await;
        let provider = provider(server.base_url());
        let late = async {
            server.wait_for(Event::Written).await;
            tokio::time::pause();
            tokio::time::advance(DEADLINE).await;
            tokio::time::resume();
        };
        let (outcome, ()) = tokio::join!(send(&provider), late);
        assert_eq!(in_doubt(outcome).code, "timeout", "after {length} bytes");
        assert_eq!(server.requests().len(), 1);
    }
}
