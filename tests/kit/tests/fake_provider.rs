//! What the fake provider promises.

use std::time::Duration;

use futures::FutureExt as _;
use koinon_kit::{FakeProvider, answered, in_doubt, refused};
use koinon_provider::{Call, CallMetadata, Format, Message, Outcome, Provider as _, Request};
use koinon_retry::Class;

fn request(text: &str) -> Request {
    Request {
        provider: "fake".to_owned(),
        model: "fake-1".to_owned(),
        messages: vec![Message::system("Be brief."), Message::user(text)],
        max_output_tokens: 50,
        format: Format::Text,
    }
}

fn call(request: &Request) -> Call<'_> {
    Call {
        request,
        idempotency_key: request.digest().to_string(),
        metadata: CallMetadata { job: "a".to_owned(), generation: 1 },
        deadline: Duration::from_mins(10),
    }
}

async fn send(provider: &FakeProvider, text: &str) -> Outcome {
    provider.send(call(&request(text))).await
}

#[tokio::test]
async fn calls_are_answered_by_their_script_and_then_by_default() {
    let provider = FakeProvider::new("fake");
    provider.script([in_doubt()]);
    provider.script_for("tea", [refused(Class::QuotaExhausted, None)]);
    assert_eq!(send(&provider, "about tea").await, refused(Class::QuotaExhausted, None));
    assert_eq!(send(&provider, "about tea").await, in_doubt());
    assert_eq!(send(&provider, "about tea").await, answered("about tea"));
}

#[tokio::test]
async fn every_call_is_remembered_as_it_came() {
    let provider = FakeProvider::new("fake");
    for text in ["one", "two"] {
        assert_eq!(send(&provider, text).await, answered(text));
    }
    let received = provider.received();
    assert_eq!(provider.count(), 2);
    assert_eq!(received[1].request, request("two"));
    assert_eq!(received[1].idempotency_key, request("two").digest().to_string());
    assert_eq!(received[1].metadata.generation, 1);
}

#[tokio::test]
async fn calls_wait_behind_the_gate_in_the_order_of_their_arrival() {
    let provider = FakeProvider::new("fake");
    provider.close_gate();
    let mut first = Box::pin(send(&provider, "one"));
    let mut second = Box::pin(send(&provider, "two"));
    assert!(first.as_mut().now_or_never().is_none());
    assert!(second.as_mut().now_or_never().is_none());
    provider.arrived(2).await;
    provider.let_through(1);
    assert!(second.as_mut().now_or_never().is_none());
    assert_eq!(first.await, answered("one"));
    provider.open_gate();
    assert_eq!(second.await, answered("two"));
}

#[tokio::test]
async fn a_call_that_is_dropped_in_flight_was_received() {
    let provider = FakeProvider::new("fake");
    provider.close_gate();
    assert!(send(&provider, "one").now_or_never().is_none());
    assert_eq!(provider.count(), 1);
}
