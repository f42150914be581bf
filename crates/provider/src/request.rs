//! What is asked of a model.

use koinon_domain::Digest;
use serde::Serialize;

/// What is added to the text of each message for the tokens that a server's chat template puts
/// around it (role names and turn markers: three to five in the templates in use).
pub const MESSAGE_ALLOWANCE_BYTES: u64 = 16;

/// A request for one answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Request {
    /// The name of the provider that answers.
    pub provider: String,
    /// The provider's name of the model.
    pub model: String,
    /// The conversation so far, oldest first.
    pub messages: Vec<Message>,
    /// The most tokens that the answer may have.
    pub max_output_tokens: u32,
    /// The form of the answer.
    pub format: Format,
}

/// One message of a conversation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Message {
    /// Who speaks.
    pub role: Role,
    /// What is said.
    pub content: String,
}

/// Who speaks in a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Instructions to the model.
    System,
    /// The asking side.
    User,
    /// The model.
    Assistant,
}

/// The form that an answer is asked for in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Format {
    /// Any text.
    Text,
    /// The text of one JSON object.
    JsonObject,
}

impl Request {
    /// The digest over everything that decides the answer.
    ///
    /// Each field goes in with its length, in a fixed order, so that it depends neither on how
    /// JSON is written nor on where one field ends.
    #[must_use]
    pub fn digest(&self) -> Digest {
        let max_output_tokens = self.max_output_tokens.to_be_bytes();
        let mut fields: Vec<&[u8]> = vec![
            b"koinon.request.v1",
            self.provider.as_bytes(),
            self.model.as_bytes(),
            &max_output_tokens,
            self.format.as_str().as_bytes(),
        ];
        for message in &self.messages {
            fields.push(message.role.as_str().as_bytes());
            fields.push(message.content.as_bytes());
        }
        Digest::of_fields(&fields)
    }

    /// A bound on the input tokens: the UTF-8 bytes of all messages, since no token is shorter than
    /// a byte, and [`MESSAGE_ALLOWANCE_BYTES`] for each message.
    #[must_use]
    pub fn input_bytes(&self) -> u64 {
        self.messages
            .iter()
            .map(|message| (message.content.len() as u64).saturating_add(MESSAGE_ALLOWANCE_BYTES))
            .fold(0, u64::saturating_add)
    }
}

impl Message {
    /// Instructions to the model.
    pub fn system(content: impl Into<String>) -> Self {
        Self { role: Role::System, content: content.into() }
    }

    /// What the asking side says.
    pub fn user(content: impl Into<String>) -> Self {
        Self { role: Role::User, content: content.into() }
    }

    /// What the model said.
    pub fn assistant(content: impl Into<String>) -> Self {
        Self { role: Role::Assistant, content: content.into() }
    }
}

impl Role {
    /// The name that chat protocols use.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::User => "user",
            Self::Assistant => "assistant",
        }
    }
}

impl Format {
    /// The stable name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::JsonObject => "json_object",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request() -> Request {
        Request {
            provider: "openai".to_owned(),
            model: "gpt-4o-mini".to_owned(),
            messages: vec![Message::system("Be brief."), Message::user("Größe?")],
            max_output_tokens: 512,
            format: Format::JsonObject,
        }
    }

    #[test]
    fn the_digest_of_a_request_never_changes() {
        // Stored answers are found by this value: a change here pays for all of them again.
        assert_eq!(
            request().digest().to_string(),
            "46f026853f6275688b050bcbda03fdefa7df39e1e82b9ce117c4702dfdca3e7a"
        );
    }

    #[test]
    fn each_part_of_a_request_decides_its_digest() {
        let changes: [fn(&mut Request); 7] = [
            |r| r.provider.push('x'),
            |r| r.model.push('x'),
            |r| r.messages[1].content.push('x'),
            |r| r.messages[1].role = Role::Assistant,
            |r| r.messages.swap(0, 1),
            |r| r.max_output_tokens += 1,
            |r| r.format = Format::Text,
        ];
        for (index, change) in changes.iter().enumerate() {
            let mut changed = request();
            change(&mut changed);
            assert_ne!(changed.digest(), request().digest(), "change {index}");
        }
    }

    #[test]
    fn the_input_bound_counts_bytes_and_an_allowance_for_each_message() {
        assert_eq!(request().input_bytes(), 9 + 8 + 2 * MESSAGE_ALLOWANCE_BYTES);
    }
}
