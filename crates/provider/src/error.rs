//! What keeps a provider from being set up.

/// What keeps a provider from being set up.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The base URL cannot be used.
    #[error("reading the base URL of provider {provider}")]
    BaseUrl {
        /// The provider's name.
        provider: String,
        /// Why not.
        source: InvalidBaseUrl,
    },
    /// The API key cannot be sent in a header.
    #[error(
        "the API key of provider {provider} is empty or has characters that no header may hold"
    )]
    ApiKey {
        /// The provider's name.
        provider: String,
    },
    /// The HTTP client could not be built.
    #[error("building the HTTP client of provider {provider}")]
    Client {
        /// The provider's name.
        provider: String,
        /// Why not.
        source: reqwest::Error,
    },
}

/// Why a base URL cannot be used. The URL itself is not shown, since it may hold a secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InvalidBaseUrl {
    /// It is no URL at all, or one without a host.
    #[error("it is not a URL like http://127.0.0.1:9000/v1")]
    NotAUrl,
    /// Its scheme is neither `http` nor `https`.
    #[error("it has to begin with http:// or https://")]
    Scheme,
    /// It has a user name or a password.
    #[error("it must not hold a user name or password: name the key's variable in api_key_env")]
    Credentials,
    /// It has a query string or a fragment.
    #[error("it must not have a query string or a fragment")]
    Query,
    /// It is already the address of the endpoint.
    #[error("it ends before /chat/completions, which is appended to it")]
    Endpoint,
}
