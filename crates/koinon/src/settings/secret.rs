//! Keeping secrets out of what is shown.

/// What is shown in the place of a secret.
pub(super) const MASK: &str = "***";

/// Words in the name of a query parameter that give a secret away.
const TELLTALES: [&str; 5] = ["password", "passwd", "secret", "token", "key"];

/// The text with the password and the secret parameters of a URL masked.
pub(super) fn mask(text: &str) -> String {
    let Some((scheme, rest)) = text.split_once("://") else { return text.to_owned() };
    let (place, query) = match rest.split_once('?') {
        Some((place, query)) => (place, Some(query)),
        None => (rest, None),
    };
    let masked = match query {
        Some(query) => format!("{}?{}", mask_user(place), mask_query(query)),
        None => mask_user(place),
    };
    format!("{scheme}://{masked}")
}

/// Whether masking it hides anything.
pub(super) fn holds_secret(text: &str) -> bool {
    mask(text) != text
}

fn mask_user(place: &str) -> String {
    // A password may hold a slash that should have been escaped; masking too much does no harm.
    match place.rsplit_once('@').map(|(user, host)| (user.split_once(':'), host)) {
        Some((Some((user, _)), host)) => format!("{user}:{MASK}@{host}"),
        _ => place.to_owned(),
    }
}

fn mask_query(query: &str) -> String {
    let parameters = query.split('&').map(|parameter| match parameter.split_once('=') {
        Some((name, _)) if tells(name) => format!("{name}={MASK}"),
        _ => parameter.to_owned(),
    });
    parameters.collect::<Vec<_>>().join("&")
}

fn tells(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    TELLTALES.iter().any(|telltale| name.contains(telltale))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_in_addresses_are_masked() {
        for (text, shown) in [
            ("postgres://me:s3cret@db/k", "postgres://me:***@db/k"),
            ("postgres://me:s/3@t@db/k", "postgres://me:***@db/k"),
            ("postgres://db/k?user=me&password=s3cret", "postgres://db/k?user=me&password=***"),
            ("https://host/v1?api_key=s3cret", "https://host/v1?api_key=***"),
        ] {
            assert_eq!(mask(text), shown);
            assert!(holds_secret(text));
        }
    }

    #[test]
    fn what_holds_no_secret_is_shown_as_it_stands() {
        for text in ["sqlite://.koinon/koinon.db", "postgres://me@db/k", "2s", "http://[::1]:90/v1"]
        {
            assert_eq!(mask(text), text);
        }
    }
}
