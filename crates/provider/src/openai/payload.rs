//! The body of a request.

use serde::Serialize;

use crate::{Format, Message, Request};

/// The fields in the order in which they are sent; the same request always gives the same bytes.
#[derive(Serialize)]
struct Payload<'a> {
    model: &'a str,
    messages: &'a [Message],
    max_tokens: u32,
    temperature: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    response_format: Option<ResponseFormat>,
}

#[derive(Serialize)]
struct ResponseFormat {
    #[serde(rename = "type")]
    kind: &'static str,
}

/// The request as JSON.
pub(super) fn json(request: &Request) -> serde_json::Result<Vec<u8>> {
    let response_format = match request.format {
        Format::Text => None,
        Format::JsonObject => Some(ResponseFormat { kind: Format::JsonObject.as_str() }),
    };
    serde_json::to_vec(&Payload {
        model: &request.model,
        messages: &request.messages,
        max_tokens: request.max_output_tokens,
        temperature: 0,
        response_format,
    })
}
