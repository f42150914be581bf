//! Reading what the model answered.
//!
//! Only the form is judged here: an answer without it is `invalid_output` and may be asked for
//! again. Whether a well-formed answer is true to its passage is judged by [`super::validate`].

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::dataset::text::collapse_whitespace;

/// The longest answer that is read, in bytes.
const LONGEST: usize = 256 * 1024;

/// An example as the model wrote it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Draft {
    /// White space is collapsed.
    pub question: String,
    /// Without white space around it.
    pub answer: String,
    /// As the model copied it, without white space around it.
    pub quote: String,
}

/// An answer that has not the form that was asked for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[error("{message}")]
pub struct Rejection {
    /// A stable name: `not_json`, `not_an_object`, `missing_field`, `wrong_type`, `empty_field`,
    /// `too_long`.
    pub code: String,
    /// What is wrong, without any text of the answer.
    pub message: String,
}

/// Reads an answer: one JSON object with the strings `question`, `answer` and `quote`, which may
/// stand in a fenced code block. Other fields are ignored.
///
/// # Errors
///
/// [`Rejection`] says what is wrong.
pub fn read(text: &str) -> Result<Draft, Rejection> {
    if text.len() > LONGEST {
        return Err(rejection("too_long", format!("more than {LONGEST} bytes")));
    }
    let value: Value = serde_json::from_str(unfenced(text)).map_err(|error| {
        rejection("not_json", format!("not one JSON object ({:?} error)", error.classify()))
    })?;
    let Value::Object(fields) = value else {
        return Err(rejection("not_an_object", "JSON, but not an object".to_owned()));
    };
    let field = |name: &str| match fields.get(name) {
        None => Err(rejection("missing_field", format!("no field {name}"))),
        // No row may hold U+0000, which a database would refuse.
        Some(Value::String(text)) => match text.replace('\0', "").trim() {
            "" => Err(rejection("empty_field", format!("the field {name} is empty"))),
            text => Ok(text.to_owned()),
        },
        Some(_) => Err(rejection("wrong_type", format!("the field {name} is not a string"))),
    };
    Ok(Draft {
        question: collapse_whitespace(&field("question")?),
        answer: field("answer")?,
        quote: field("quote")?,
    })
}

/// The text without a code fence around it.
fn unfenced(text: &str) -> &str {
    let text = text.trim();
    let Some(inner) = text.strip_prefix("```").and_then(|rest| rest.strip_suffix("```")) else {
        return text;
    };
    match inner.split_once('\n') {
        Some((language, body)) if language.trim().chars().all(char::is_alphanumeric) => body.trim(),
        _ => inner.trim(),
    }
}

fn rejection(code: &str, message: String) -> Rejection {
    Rejection { code: code.to_owned(), message }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(text: &str) -> String {
        read(text).unwrap_err().code
    }

    #[test]
    fn an_object_is_read_with_and_without_a_fence() {
        let object = r#" {"question": "a\n b?", "answer": " c ", "quote": "d", "extra": 1} "#;
        let expected =
            Draft { question: "a b?".to_owned(), answer: "c".to_owned(), quote: "d".to_owned() };
        assert_eq!(read(object), Ok(expected.clone()));
        assert_eq!(read(&format!("```json\n{object}\n```\n")), Ok(expected.clone()));
        assert_eq!(read(&format!("```{object}```")), Ok(expected));
    }

    #[test]
    fn everything_else_is_rejected_with_its_reason() {
        assert_eq!(code(""), "not_json");
        assert_eq!(code("Sure! {\"question\": \"a\"}"), "not_json");
        assert_eq!(code(&"[".repeat(100_000)), "not_json");
        assert_eq!(code("[1]"), "not_an_object");
        assert_eq!(code(r#"{"question": "a", "answer": "b"}"#), "missing_field");
        assert_eq!(code(r#"{"question": "a", "answer": 3, "quote": "c"}"#), "wrong_type");
        assert_eq!(code(r#"{"question": "\u0000 ", "answer": "b", "quote": "c"}"#), "empty_field");
        assert_eq!(code(&"x".repeat(LONGEST + 1)), "too_long");
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_read_without_a_panic(text: String) {
            drop(read(&text));
            drop(read(&format!("```{text}```")));
        }
    }
}
