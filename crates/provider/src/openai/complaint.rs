//! What a server says about an error, in the forms in use.

use serde_json::Value;

/// What a server says about an error. Unredacted: for comparing, not for showing.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Complaint<'a> {
    /// Its code, its type of error and its inner code, as far as it gives them.
    pub(super) codes: Vec<&'a str>,
    /// Its sentence.
    pub(super) message: Option<&'a str>,
}

impl<'a> Complaint<'a> {
    /// Reads `{"error": {…}}`, `{"error": "…"}`, and the bare forms of vLLM and FastAPI.
    pub(super) fn read(body: &'a Value) -> Self {
        let error = body.get("error").filter(|error| !error.is_null()).unwrap_or(body);
        if let Some(message) = error.as_str() {
            return Self { codes: Vec::new(), message: Some(message) };
        }
        let inner = error.get("innererror").and_then(|inner| inner.get("code"));
        Self {
            codes: [error.get("code"), error.get("type"), inner]
                .into_iter()
                .filter_map(|code| code?.as_str())
                .filter(|code| !code.is_empty())
                .collect(),
            message: ["message", "detail"].iter().find_map(|key| error.get(key)?.as_str()),
        }
    }

    /// Whether one of its codes is one of these, which are in lower case.
    pub(super) fn is_any(&self, known: &[&str]) -> bool {
        self.codes.iter().any(|code| known.contains(&code.to_ascii_lowercase().as_str()))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_forms_in_use_are_read() {
        for (body, codes, message) in [
            (
                json!({"error": {"message": "m", "type": "t", "code": "c"}}),
                vec!["c", "t"],
                Some("m"),
            ),
            (json!({"error": {"message": "m", "type": "t", "code": null}}), vec!["t"], Some("m")),
            (json!({"error": {"code": "c", "innererror": {"code": "i"}}}), vec!["c", "i"], None),
            (json!({"error": "m"}), vec![], Some("m")),
            (
                json!({"object": "error", "message": "m", "type": "t", "code": 400}),
                vec!["t"],
                Some("m"),
            ),
            (json!({"detail": "m"}), vec![], Some("m")),
            (json!({"error": null}), vec![], None),
            (json!([1]), vec![], None),
            (json!(null), vec![], None),
        ] {
            assert_eq!(Complaint::read(&body), Complaint { codes, message }, "{body}");
        }
    }
}
