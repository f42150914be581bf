//! Any server that speaks OpenAI's chat completions.
//!
//! One call is one HTTP/1.1 request: nothing here follows a redirect, uses a proxy or tries again.

mod base_url;
mod complaint;
mod completion;
mod exchange;
mod gate;
mod payload;
mod redactor;
mod refusal;
mod retry_after;

use std::fmt;
use std::time::Duration;

use async_trait::async_trait;
use koinon_retry::Class;
use reqwest::header::{
    ACCEPT, AUTHORIZATION, CONTENT_LENGTH, CONTENT_TYPE, HeaderMap, HeaderValue,
};
use reqwest::{Client, Url, redirect, retry};

use self::exchange::Reply;
use self::gate::Gate;
use self::redactor::Redactor;
use crate::{Call, Error, Failure, Outcome, Provider, Secret, Sent};

/// The longest that a connection may take to be made, name look-up and TLS included.
const CONNECT_FOR: Duration = Duration::from_secs(10);

/// How long an unused connection is kept: less than the five seconds after which common servers
/// (uvicorn, Node.js) close it, so that a request seldom meets a connection that is being closed.
const IDLE_FOR: Duration = Duration::from_secs(4);

/// What an OpenAI-compatible provider is set up with.
#[derive(Clone)]
pub struct OpenAiConfig {
    /// The name that requests and price profiles know it by.
    pub name: String,
    /// The server's address up to and with the version, such as `https://api.openai.com/v1`.
    pub base_url: String,
    /// The bearer token; local servers often need none.
    pub api_key: Option<Secret>,
}

/// An OpenAI-compatible server.
pub struct OpenAi {
    name: String,
    endpoint: Url,
    api_key: Option<Secret>,
    headers: HeaderMap,
    client: Client,
}

impl OpenAi {
    /// A provider for the server that `config` names. Nothing is sent yet.
    ///
    /// # Errors
    ///
    /// If the base URL or the key cannot be used, or the system has no root certificates for `https`.
    pub fn try_new(config: OpenAiConfig) -> Result<Self, Error> {
        let OpenAiConfig { name, base_url, api_key } = config;
        let endpoint = base_url::endpoint(&base_url)
            .map_err(|source| Error::BaseUrl { provider: name.clone(), source })?;
        let headers =
            headers(api_key.as_ref()).ok_or_else(|| Error::ApiKey { provider: name.clone() })?;
        let client =
            client(&endpoint).map_err(|source| Error::Client { provider: name.clone(), source })?;
        Ok(Self { name, endpoint, api_key, headers, client })
    }

    /// The wire request of a call; its body passes through `gate`.
    fn wire_request(&self, call: &Call<'_>, gate: Gate) -> Result<reqwest::Request, Failure> {
        let invalid = |what| Failure::new(Class::Permanent, "invalid_request", what);
        let body = payload::json(call.request)
            .map_err(|_| invalid("the request cannot be written as JSON"))?;
        let mut headers = self.headers.clone();
        headers.insert(CONTENT_LENGTH, HeaderValue::from(body.len()));
        headers.insert("x-koinon-generation", HeaderValue::from(call.metadata.generation));
        for (header, value) in
            [("idempotency-key", &call.idempotency_key), ("x-koinon-job", &call.metadata.job)]
        {
            let value = HeaderValue::from_str(value)
                .map_err(|_| invalid("the call's key or job id cannot be sent in a header"))?;
            headers.insert(header, value);
        }
        self.client
            .post(self.endpoint.clone())
            .headers(headers)
            .body(gate.body(body))
            .build()
            .map_err(|_| invalid("the request cannot be built"))
    }
}

#[async_trait]
impl Provider for OpenAi {
    fn name(&self) -> &str {
        &self.name
    }

    async fn send(&self, call: Call<'_>) -> Outcome {
        let gate = Gate::new();
        let request = match self.wire_request(&call, gate.clone()) {
            Ok(request) => request,
            Err(failure) => return Outcome::Released { failure, sent: Sent::Before },
        };
        let redactor = Redactor::new(self.api_key.as_ref(), &call.request.messages);
        let outcome = match exchange::run(&self.client, request, call.deadline).await {
            Ok(reply) => sort(&reply, &redactor),
            Err(cut) if gate.close() => {
                Outcome::Released { failure: cut.before_sending(), sent: Sent::Before }
            }
            Err(cut) => Outcome::InDoubt { failure: cut.after_sending() },
        };
        if let Some(failure) = outcome.failure() {
            tracing::debug!(
                provider = %self.name,
                job = %call.metadata.job,
                generation = call.metadata.generation,
                code = %failure.code,
                "a call has no usable answer"
            );
        }
        outcome
    }
}

impl fmt::Debug for OpenAi {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OpenAi")
            .field("name", &self.name)
            .field("endpoint", &self.endpoint.as_str())
            .field("api_key", &self.api_key)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for OpenAiConfig {
    /// Leaves the base URL out: it is not yet known to be free of credentials.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OpenAiConfig")
            .field("name", &self.name)
            .field("api_key", &self.api_key)
            .finish_non_exhaustive()
    }
}

/// Sorts a complete response by its status.
fn sort(reply: &Reply, redactor: &Redactor<'_>) -> Outcome {
    match reply.status {
        200..=299 => completion::sort(&reply.body, redactor),
        300..=399 => {
            let message = "the server answered with a redirect, and none is followed";
            let failure = Failure::new(Class::Permanent, "unexpected_redirect", message);
            Outcome::Released { failure, sent: Sent::Answered }
        }
        400.. => {
            Outcome::Released { failure: refusal::sort(reply, redactor), sent: Sent::Answered }
        }
        _ => {
            let message = format!("the server answered with the status {}", reply.status);
            let failure = Failure::new(Class::Transient, "unexpected_status", &message);
            Outcome::InDoubt { failure }
        }
    }
}

/// The headers that all requests have; `None` when the key cannot be one.
fn headers(api_key: Option<&Secret>) -> Option<HeaderMap> {
    let mut headers = HeaderMap::new();
    headers.insert(ACCEPT, HeaderValue::from_static("application/json"));
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    if let Some(key) = api_key {
        if key.expose().trim().is_empty() {
            return None;
        }
        let mut value = HeaderValue::from_str(&format!("Bearer {}", key.expose())).ok()?;
        value.set_sensitive(true);
        headers.insert(AUTHORIZATION, value);
    }
    Some(headers)
}

/// A client that sends each request once, on a connection of its own while it runs, so that a lost
/// connection leaves no more than one call in doubt.
fn client(endpoint: &Url) -> reqwest::Result<Client> {
    let builder = Client::builder()
        .user_agent(concat!("koinon/", env!("CARGO_PKG_VERSION")))
        .http1_only()
        .retry(retry::never())
        .redirect(redirect::Policy::none())
        .referer(false)
        .no_proxy()
        // Whatever features other crates turn on: a body that is unpacked on the way fails on the
        // way, and would leave a complete answer in doubt.
        .no_gzip()
        .no_brotli()
        .no_deflate()
        .no_zstd()
        .connect_timeout(CONNECT_FOR)
        .pool_idle_timeout(IDLE_FOR);
    // Reading the system's certificates takes time, and fails where there are none.
    let builder = if endpoint.scheme() == "http" { builder.tls_certs_only([]) } else { builder };
    builder.build()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(base_url: &str, api_key: &str) -> OpenAiConfig {
        OpenAiConfig {
            name: "openai".to_owned(),
            base_url: base_url.to_owned(),
            api_key: Some(Secret::new(api_key.to_owned())),
        }
    }

    #[test]
    fn a_key_is_never_shown() {
        let config = config("http://127.0.0.1:9/v1", "sk-very-secret");
        assert!(!format!("{config:?}").contains("very-secret"));
        let provider = OpenAi::try_new(config).unwrap();
        assert!(!format!("{provider:?}").contains("very-secret"));
        assert!(!format!("{:?}", provider.headers).contains("very-secret"));
    }

    #[test]
    fn a_key_that_no_header_can_hold_is_refused_without_showing_it() {
        for key in ["", " ", "sk-very-secret\n"] {
            let error = OpenAi::try_new(config("http://127.0.0.1:9/v1", key)).unwrap_err();
            assert!(matches!(error, Error::ApiKey { .. }));
            assert!(!format!("{error} {error:?}").contains("very-secret"));
        }
    }
}
