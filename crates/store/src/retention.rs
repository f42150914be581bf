//! How long what has ended is kept, and which blobs rows name.

use std::collections::BTreeMap;
use std::time::Duration;

use koinon_domain::{Digest, QueueName, State};

/// How long jobs that have ended are kept; `None` is for ever.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Keep {
    /// Jobs that succeeded.
    pub succeeded_for: Option<Duration>,
    /// Jobs that failed.
    pub failed_for: Option<Duration>,
    /// Jobs that were cancelled.
    pub cancelled_for: Option<Duration>,
}

impl Keep {
    /// How long a job in this state is kept; `None` is for ever, as it is for one that has not ended.
    #[must_use]
    pub const fn for_state(&self, state: State) -> Option<Duration> {
        match state {
            State::Succeeded => self.succeeded_for,
            State::Failed => self.failed_for,
            State::Cancelled => self.cancelled_for,
            State::Queued
            | State::Leased
            | State::Running
            | State::RetryWait
            | State::Pausing
            | State::Paused
            | State::Cancelling => None,
        }
    }
}

/// What is kept, and for how long.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Retention {
    /// For queues that have nothing of their own.
    pub default: Keep,
    /// For single queues, each as a whole.
    pub queues: BTreeMap<QueueName, Keep>,
    /// How long a blob is kept that no row names; `None` is for ever.
    pub orphans_for: Option<Duration>,
}

impl Retention {
    /// How long the jobs of a queue are kept.
    #[must_use]
    pub fn keep(&self, queue: &QueueName) -> Keep {
        self.queues.get(queue).copied().unwrap_or(self.default)
    }

    /// Whether it keeps everything for ever.
    #[must_use]
    pub fn keeps_all(&self) -> bool {
        let none = Keep::default();
        self.orphans_for.is_none()
            && self.default == none
            && self.queues.values().all(|keep| *keep == none)
    }
}

/// The digests that stand in bytes: every run of hexadecimal digits in lower case that is as long as one.
/// Payloads and results are a workload's own, so a digest may stand anywhere in them.
pub fn digests_in(bytes: &[u8]) -> impl Iterator<Item = Digest> + '_ {
    let is_digit = |byte: &u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(byte);
    let runs = bytes.split(move |byte| !is_digit(byte)).filter(|run| run.len() == 64);
    runs.filter_map(|run| std::str::from_utf8(run).ok()?.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_are_found_wherever_they_stand() {
        let (one, two) = (Digest::of(b"1"), Digest::of(b"2"));
        let text = format!(r#"{{"a":"{one}","b":["sha256:{two}.bin"],"c":"{one}0","d":"abc"}}"#);
        assert_eq!(digests_in(text.as_bytes()).collect::<Vec<_>>(), [one, two]);
        assert_eq!(digests_in(b"").count(), 0);
        assert_eq!(digests_in(one.to_string().to_uppercase().as_bytes()).count(), 0);
    }

    #[test]
    fn a_queue_of_its_own_takes_nothing_from_the_default() {
        let day = Some(Duration::from_hours(24));
        let queue = QueueName::try_new("dataset").unwrap();
        let mut retention = Retention::default();
        assert!(retention.keeps_all());
        retention.default.succeeded_for = day;
        assert_eq!(retention.keep(&queue).for_state(State::Succeeded), day);
        retention.queues.insert(queue.clone(), Keep { failed_for: day, ..Keep::default() });
        assert_eq!(retention.keep(&queue).for_state(State::Succeeded), None);
        assert_eq!(retention.keep(&queue).for_state(State::Failed), day);
        assert_eq!(retention.keep(&queue).for_state(State::Running), None);
        assert!(!retention.keeps_all());
    }
}
