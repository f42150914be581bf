//! Keeps keys and prompts out of what a server says about a request.

use crate::failure::{clean_code, one_line};
use crate::{Message, Secret};

/// A run of so many characters that stands in the prompt too counts as a piece of it; every run of
/// `RUN + STEP` characters is sure to be found.
const RUN: usize = 16;
const STEP: usize = 8;

/// What stands in the place of a key.
const HIDDEN: &str = "[secret]";

/// Keeps keys and prompts out of what a server says about a request, since servers like to repeat
/// what they refuse.
#[derive(Debug)]
pub(super) struct Redactor<'a> {
    api_key: Option<&'a Secret>,
    messages: &'a [Message],
}

impl<'a> Redactor<'a> {
    pub(super) const fn new(api_key: Option<&'a Secret>, messages: &'a [Message]) -> Self {
        Self { api_key, messages }
    }

    /// The server's text on one bounded line with keys hidden; `None` if it repeats the prompt.
    pub(super) fn message(&self, text: &str) -> Option<String> {
        let hidden = self.hide_keys(text);
        let line = one_line(&hidden);
        (!line.is_empty() && !self.repeats_prompt(&line)).then_some(line)
    }

    /// The server's code, cleaned; `None` if it holds a key or repeats the prompt.
    pub(super) fn code(&self, code: &str) -> Option<String> {
        if self.hide_keys(code) != code || self.repeats_prompt(&one_line(code)) {
            return None;
        }
        clean_code(code)
    }

    fn hide_keys(&self, text: &str) -> String {
        let text = match self.api_key {
            Some(key) => text.replace(key.expose(), HIDDEN),
            None => text.to_owned(),
        };
        // A server may repeat a part of a key, or another one than was sent.
        text.split_inclusive(char::is_whitespace)
            .map(|word| match word.find("sk-") {
                Some(at) if !word[..at].ends_with(|c: char| c.is_alphanumeric()) => {
                    HIDDEN.to_owned() + " "
                }
                _ => word.to_owned(),
            })
            .collect()
    }

    fn repeats_prompt(&self, line: &str) -> bool {
        let starts: Vec<usize> = line.char_indices().map(|(at, _)| at).collect();
        let runs: Vec<&str> = (0..=starts.len().saturating_sub(RUN))
            .step_by(STEP)
            .filter_map(|first| {
                let end = starts.get(first + RUN).copied().unwrap_or(line.len());
                starts.get(first).map(|&start| &line[start..end])
            })
            .filter(|run| run.chars().count() >= RUN)
            .collect();
        self.messages.iter().any(|message| {
            let content = message.content.split_whitespace().collect::<Vec<_>>().join(" ");
            let short = content.chars().count() < RUN + STEP;
            (short && content.len() >= STEP && line.contains(&content))
                || runs.iter().any(|run| content.contains(run))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn says(text: &str) -> Option<String> {
        let key = Secret::new("topsecret-0123".to_owned());
        let messages = [
            Message::user("The harbour master of Größenwahn\nkeeps the old keys."),
            Message::system("be brief, ok"),
        ];
        Redactor::new(Some(&key), &messages).message(text)
    }

    #[test]
    fn what_a_server_says_of_itself_is_kept() {
        assert_eq!(
            says("The model `x`\n does not exist").as_deref(),
            Some("The model `x` does not exist")
        );
        assert_eq!(says("short").as_deref(), Some("short"));
        assert_eq!(says(" \n"), None);
    }

    #[test]
    fn keys_are_hidden() {
        assert_eq!(says("bad key topsecret-0123!").as_deref(), Some("bad key [secret]!"));
        assert_eq!(says("key 'sk-proj-abc***' is bad").as_deref(), Some("key [secret] is bad"));
        assert_eq!(says("risk-averse").as_deref(), Some("risk-averse"));
    }

    #[test]
    fn a_text_that_repeats_the_prompt_is_withheld() {
        assert_eq!(says("invalid prompt: 'harbour master of Größenwahn  keeps'"), None);
        assert_eq!(says("Größenwahn keeps the old keys."), None);
        assert_eq!(says("you said be brief, ok"), None);
    }

    #[test]
    fn a_code_with_a_key_or_prompt_in_it_is_no_code() {
        let key = Secret::new("topsecret-0123".to_owned());
        let messages = [Message::user("The harbour master of Rhodes")];
        let redactor = Redactor::new(Some(&key), &messages);
        assert_eq!(redactor.code("model_not_found").as_deref(), Some("model_not_found"));
        assert_eq!(redactor.code("topsecret-0123"), None);
        assert_eq!(redactor.code("The harbour master of Rhodes"), None);
    }
}
