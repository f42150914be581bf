//! Connections are used again, and a request that meets a dead one is never sent twice.

use koinon_provider::Outcome;

use crate::server::{COMPLETION, Event, Server, Step, provider, response, send};

fn answer() -> Step {
    Step::Write(response("200 OK", "", COMPLETION))
}

#[tokio::test]
async fn calls_one_after_another_share_a_connection() {
    let steps = vec![Step::Read, answer(), Step::Read, answer(), Step::Hold];
    let server = Server::start(vec![steps]).await;
    let provider = provider(server.base_url());
    for _ in 0..2 {
        assert!(matches!(send(&provider).await, Outcome::Answered(_)));
    }
    assert_eq!(server.requests().len(), 2);
}

#[tokio::test]
async fn a_connection_that_was_closed_between_two_calls_is_replaced() {
    let steps = vec![Step::Read, answer()];
    let mut server = Server::start(vec![steps.clone(), steps]).await;
    let provider = provider(server.base_url());
    assert!(matches!(send(&provider).await, Outcome::Answered(_)));

    server.wait_for(Event::Closed).await;
    // Bytes that go through the system after the connection was closed: once they are here, its end
    // is here too, and those who wait for it have been woken.
    assert!(tokio::net::TcpStream::connect(("127.0.0.1", 1)).await.is_err());
    tokio::task::yield_now().await;

    assert!(matches!(send(&provider).await, Outcome::Answered(_)));
    assert_eq!(server.requests().len(), 2);
}

#[tokio::test]
async fn a_request_on_a_connection_that_is_being_closed_is_sent_at_most_once() {
    // Nothing is waited for: whether the end of the connection or the next request comes first is
    // left to chance, and either way no request may arrive twice.
    for _ in 0..50 {
        let steps = vec![Step::Read, answer()];
        let server = Server::start(vec![steps.clone(), steps]).await;
        let provider = provider(server.base_url());
        assert!(matches!(send(&provider).await, Outcome::Answered(_)));
        let arrived = match send(&provider).await {
            Outcome::Answered(_) => 2,
            Outcome::InDoubt { .. } | Outcome::Released { .. } => 1,
            other @ Outcome::Unusable { .. } => panic!("{other:?}"),
        };
        assert_eq!(server.requests().len(), arrived);
    }
}

#[tokio::test]
async fn a_cut_on_a_connection_in_its_second_use_is_in_doubt_and_not_sent_again() {
    for second in [Step::Read, Step::Await] {
        let read = usize::from(matches!(second, Step::Read));
        let spare = vec![Step::Read, answer()];
        let server = Server::start(vec![vec![Step::Read, answer(), second], spare]).await;
        let provider = provider(server.base_url());
        assert!(matches!(send(&provider).await, Outcome::Answered(_)));
        assert!(matches!(send(&provider).await, Outcome::InDoubt { .. }));
        assert_eq!(server.requests().len(), 1 + read);
    }
}
