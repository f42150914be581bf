//! Names that people or workloads choose, made valid once.

use std::fmt;

/// The name is empty, too long, or has a control character.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{what} must have 1 to {max_bytes} bytes and no control characters")]
pub struct InvalidName {
    what: &'static str,
    max_bytes: usize,
}

macro_rules! name {
    ($(#[$doc:meta])* $name:ident, $what:literal, $max_bytes:literal) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(String);

        impl $name {
            /// Makes the name from text.
            ///
            /// # Errors
            ///
            /// [`InvalidName`] if it is empty, too long, or has a control character.
            pub fn try_new(text: impl Into<String>) -> Result<Self, InvalidName> {
                let text = text.into();
                if text.is_empty() || text.len() > $max_bytes || text.chars().any(char::is_control)
                {
                    return Err(InvalidName { what: $what, max_bytes: $max_bytes });
                }
                Ok(Self(text))
            }

            /// The text.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

name! {
    /// Who owns jobs; nobody sees another tenant's rows.
    TenantId, "a tenant", 200
}
name! {
    /// A tenant's own grouping of jobs.
    ProjectId, "a project", 200
}
name! {
    /// The name under which jobs wait and workers claim.
    QueueName, "a queue name", 64
}
name! {
    /// Which workload runs a job.
    Kind, "a kind", 64
}
name! {
    /// A named step of a workload.
    StageName, "a stage name", 64
}
name! {
    /// What a tenant calls one of its schedules.
    ScheduleName, "a schedule name", 64
}
name! {
    /// One independent piece inside a stage.
    ItemKey, "an item key", 512
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_without_text_or_with_control_characters_is_refused() {
        assert!(QueueName::try_new("").is_err());
        assert!(QueueName::try_new("a\nb").is_err());
        assert!(QueueName::try_new("x".repeat(65)).is_err());
        assert!(QueueName::try_new("dataset").is_ok());
    }
}
