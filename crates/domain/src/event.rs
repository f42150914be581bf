//! The history of a job.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::{Cause, EventSeq, Generation, State, Timestamp};

/// What an event tells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EventName {
    /// The job was submitted.
    Submitted,
    /// The job changed its state.
    Transition(Cause),
    /// A stage or an item was finished and stored.
    Checkpointed,
    /// A stage had a stored result for another input.
    InputChanged,
    /// A provider billed more than its hold.
    HoldExceeded,
    /// Spending reached a mark of a limit.
    BudgetReached,
    /// A limit was changed.
    LimitsChanged,
    /// The outcome of an in-doubt call was learnt.
    Reconciled,
    /// The row could not be recovered and was set aside.
    SetAside,
    /// Something that a workload wants to be remembered.
    Note(Cow<'static, str>),
}

impl EventName {
    /// The stable name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            Self::Submitted => "submitted",
            Self::Transition(cause) => cause.as_str(),
            Self::Checkpointed => "checkpointed",
            Self::InputChanged => "input_changed",
            Self::HoldExceeded => "hold_exceeded",
            Self::BudgetReached => "budget_reached",
            Self::LimitsChanged => "limits_changed",
            Self::Reconciled => "reconciled",
            Self::SetAside => "set_aside",
            Self::Note(name) => name,
        }
    }

    /// The event that a stored name tells; a name that nobody else has is a note.
    #[must_use]
    pub fn from_stored(name: &str) -> Self {
        let others = [
            Self::Submitted,
            Self::Checkpointed,
            Self::InputChanged,
            Self::HoldExceeded,
            Self::BudgetReached,
            Self::LimitsChanged,
            Self::Reconciled,
            Self::SetAside,
        ];
        let transition = Cause::ALL.into_iter().map(Self::Transition);
        transition
            .chain(others)
            .find(|known| known.as_str() == name)
            .unwrap_or_else(|| Self::Note(Cow::Owned(name.to_owned())))
    }
}

/// One line of a job's history. Never has a prompt, an answer or a key in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// Its place in the job's history.
    pub seq: EventSeq,
    /// The database's time.
    pub at: Timestamp,
    /// The job's generation after the event.
    pub generation: Generation,
    /// What it tells.
    pub name: EventName,
    /// The state before, for transitions.
    pub from: Option<State>,
    /// The state after, for transitions and the submission.
    pub to: Option<State>,
    /// What else there is to know, by name.
    pub detail: BTreeMap<String, String>,
}
