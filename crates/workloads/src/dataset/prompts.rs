//! What the model is asked.

use crate::dataset::plan::PlannedItem;

const SYSTEM: &str = include_str!("prompts/system.txt");
const USER: &str = include_str!("prompts/user.txt");
/// The line before the passage.
pub const PASSAGE_START: &str = "<<<PASSAGE";
/// The line after the passage, and the last of the user message.
pub const PASSAGE_END: &str = "PASSAGE>>>";
/// The most of the heading path that a prompt shows, in bytes.
const HEADINGS_BYTES: usize = 160;

/// The two messages of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prompt {
    /// What never changes.
    pub system: String,
    /// What is asked, and last, between its marker lines, the passage unchanged.
    pub user: String,
}

/// The digest of the prompt files, which decides the result as the settings do.
#[must_use]
pub fn digest() -> koinon_domain::Digest {
    koinon_domain::Digest::of_fields(&[SYSTEM.as_bytes(), USER.as_bytes()])
}

/// The prompt for a planned item.
#[must_use]
pub fn prompt(item: &PlannedItem) -> Prompt {
    let headings = item.heading_path.join(" > ").replace(['\n', '\r'], " ");
    let shown = crate::dataset::text::truncate(&headings, HEADINGS_BYTES);
    let section = if shown.is_empty() { "-" } else { shown };
    let ask = USER.trim_end().replace("{kind}", item.kind.name()).replace("{section}", section);
    Prompt {
        system: SYSTEM.trim_end().to_owned(),
        user: format!("{ask}\n{PASSAGE_START}\n{}\n{PASSAGE_END}", item.passage),
    }
}

/// Whether a text could be taken for the marker lines around a passage.
pub(crate) fn has_marker(text: &str) -> bool {
    text.contains(PASSAGE_START) || text.contains(PASSAGE_END)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::tests::item;

    #[test]
    fn the_user_message_ends_with_the_passage_between_its_lines() {
        let item = item("First line.\n  Second {kind} line.");
        let prompt = prompt(&item);
        assert!(
            prompt.user.ends_with("\n<<<PASSAGE\nFirst line.\n  Second {kind} line.\nPASSAGE>>>")
        );
        assert!(prompt.user.lines().any(|line| line == "Kind: factual"));
        assert!(prompt.user.lines().any(|line| line == "Section: Setup > Keys"));
        assert_eq!(prompt.user.matches(PASSAGE_START).count(), 1);
    }

    #[test]
    fn prompts_are_small() {
        let prompt = prompt(&item(""));
        assert!(prompt.system.len() + prompt.user.len() < 900);
    }
}
