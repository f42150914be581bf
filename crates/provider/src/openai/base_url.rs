//! From the configured base URL to the address of the endpoint.

use reqwest::Url;

use crate::InvalidBaseUrl;

const ENDPOINT: [&str; 2] = ["chat", "completions"];

/// The address of the endpoint below `base_url`.
pub(super) fn endpoint(base_url: &str) -> Result<Url, InvalidBaseUrl> {
    let mut url = Url::parse(base_url.trim()).map_err(|_| InvalidBaseUrl::NotAUrl)?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(InvalidBaseUrl::Scheme);
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(InvalidBaseUrl::Credentials);
    }
    if url.query().is_some() || url.fragment().is_some() {
        return Err(InvalidBaseUrl::Query);
    }
    if url.path().trim_end_matches('/').ends_with("/chat/completions") {
        return Err(InvalidBaseUrl::Endpoint);
    }
    url.path_segments_mut().map_err(|()| InvalidBaseUrl::NotAUrl)?.pop_if_empty().extend(ENDPOINT);
    Ok(url)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_endpoint_is_appended_to_the_base_url() {
        for (base_url, expected) in [
            ("https://api.openai.com/v1", "https://api.openai.com/v1/chat/completions"),
            ("http://127.0.0.1:9000/v1/", "http://127.0.0.1:9000/v1/chat/completions"),
            (" http://[::1]:9000 ", "http://[::1]:9000/chat/completions"),
            ("https://host/a%20b/v1", "https://host/a%20b/v1/chat/completions"),
        ] {
            assert_eq!(endpoint(base_url).unwrap().as_str(), expected);
        }
    }

    #[test]
    fn a_base_url_that_cannot_be_meant_is_refused() {
        for (base_url, expected) in [
            ("", InvalidBaseUrl::NotAUrl),
            ("http://", InvalidBaseUrl::NotAUrl),
            ("api.openai.com/v1", InvalidBaseUrl::NotAUrl),
            ("localhost:9000/v1", InvalidBaseUrl::Scheme),
            ("file:///etc/passwd", InvalidBaseUrl::Scheme),
            ("https://user:secret@host/v1", InvalidBaseUrl::Credentials),
            ("https://secret@host/v1", InvalidBaseUrl::Credentials),
            ("https://host/v1?key=secret", InvalidBaseUrl::Query),
            ("https://host/v1#secret", InvalidBaseUrl::Query),
            ("https://host/v1/chat/completions/", InvalidBaseUrl::Endpoint),
        ] {
            let error = endpoint(base_url).unwrap_err();
            assert_eq!(error, expected, "{base_url}");
            assert!(!format!("{error} {error:?}").contains("secret"));
        }
    }
}
