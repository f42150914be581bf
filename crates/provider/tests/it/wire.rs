//! What goes over the wire.

use koinon_provider::{Format, OpenAi, OpenAiConfig, Provider as _};

use crate::server::{COMPLETION, Server, call, provider, request, response, send};

#[tokio::test]
async fn a_request_has_the_documented_headers_and_body() {
    let server = Server::answering(response("200 OK", "", COMPLETION)).await;
    let _answer = send(&provider(server.base_url() + "/")).await;

    let requests = server.requests();
    let (head, body) = requests[0].split_once("\r\n\r\n").unwrap();
    assert_eq!(
        body,
        concat!(
            r#"{"model":"m-1","messages":[{"role":"system","content":"Be brief."},"#,
            r#"{"role":"user","content":"How are you?"}],"max_tokens":64,"temperature":0,"#,
            r#""response_format":{"type":"json_object"}}"#
        )
    );
    assert!(head.starts_with("POST /v1/chat/completions HTTP/1.1\r\n"), "{head}");
    let length = format!("content-length: {}", body.len());
    for line in [
        "authorization: Bearer test-key-0123456789",
        "content-type: application/json",
        "idempotency-key: key-1",
        "x-koinon-job: job-1",
        "x-koinon-generation: 7",
        &length,
    ] {
        assert_eq!(head.lines().filter(|l| *l == line).count(), 1, "{line} in {head}");
    }
    assert!(!head.contains("transfer-encoding"), "{head}");
}

#[tokio::test]
async fn no_key_and_no_format_are_simply_left_out() {
    let server = Server::answering(response("200 OK", "", COMPLETION)).await;
    let name = "local".to_owned();
    let config = OpenAiConfig { name, base_url: server.base_url(), api_key: None };
    let provider = OpenAi::try_new(config).unwrap();
    let mut request = request();
    request.format = Format::Text;
    let _answer = provider.send(call(&request)).await;

    let sent = server.requests().concat();
    assert!(!sent.contains("authorization") && !sent.contains("response_format"), "{sent}");
}
