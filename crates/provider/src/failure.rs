//! Why a call has no usable answer.

use std::time::{Duration, SystemTime};

use koinon_retry::Class;

/// The longest message, in bytes.
const MESSAGE_BYTES: usize = 500;

/// The longest code, in bytes.
const CODE_BYTES: usize = 64;

/// Why a call has no usable answer.
///
/// It is stored and shown, so it holds no secret and no text of the request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// What it means for the job's next step.
    pub class: Class,
    /// A stable name in snake case, or the provider's own code, in at most 64 bytes.
    pub code: String,
    /// What happened, in at most 500 bytes of one line.
    pub message: String,
    /// When the provider wants to be asked again.
    pub retry_after: Option<RetryAfter>,
}

/// When a provider wants to be asked again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RetryAfter {
    /// So much later than its answer.
    Delay(Duration),
    /// At this time.
    At(SystemTime),
}

impl Failure {
    /// A failure with its code and message cleaned and bounded.
    pub fn new(class: Class, code: &str, message: &str) -> Self {
        Self {
            class,
            code: clean_code(code).unwrap_or_else(|| class.as_str().to_owned()),
            message: one_line(message),
            retry_after: None,
        }
    }

    /// The same failure, with the time when the provider wants to be asked again.
    #[must_use]
    pub fn retry_after(mut self, retry_after: Option<RetryAfter>) -> Self {
        self.retry_after = retry_after;
        self
    }
}

/// A provider's code in lower case, with anything but letters, digits, `_`, `-` and `.` left out;
/// `None` when nothing of it is left.
pub(crate) fn clean_code(code: &str) -> Option<String> {
    let cleaned: String = code
        .chars()
        .filter(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'))
        .map(|c| c.to_ascii_lowercase())
        .take(CODE_BYTES)
        .collect();
    cleaned.contains(|c: char| c.is_ascii_alphanumeric()).then_some(cleaned)
}

/// The text on one line, without control characters, in at most [`MESSAGE_BYTES`].
pub(crate) fn one_line(text: &str) -> String {
    let mut line = String::new();
    for word in text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|w| !w.is_empty())
    {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
        if line.len() > MESSAGE_BYTES {
            line.truncate(line.floor_char_boundary(MESSAGE_BYTES));
            break;
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_one_bounded_line() {
        let failure = Failure::new(Class::Transient, "x", &"ü\0\n\tü ".repeat(400));
        assert!(failure.message.starts_with("ü ü ü"));
        assert!(failure.message.len() <= MESSAGE_BYTES);
        assert!(!failure.message.contains(char::is_control));
    }

    #[test]
    fn a_code_keeps_only_what_a_code_is_made_of() {
        assert_eq!(clean_code("Rate Limit_Exceeded!\n").as_deref(), Some("ratelimit_exceeded"));
        assert_eq!(clean_code(&"a".repeat(100)).map(|code| code.len()), Some(CODE_BYTES));
        assert_eq!(clean_code(" ..- "), None);
        assert_eq!(Failure::new(Class::Permanent, "", "").code, "permanent");
    }
}
