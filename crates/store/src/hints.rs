//! Hints: a word from the store that looking at it may be worth while (ADR 0020).
//!
//! A hint carries nothing, may come for nothing, and may be lost. Whoever hears none looks once a tick, so
//! a lost hint costs at most one tick.

use koinon_domain::State;
use tokio::sync::watch;

use crate::{Commit, ControlAnswer, Controlled, End, Fired, FiredAll, Recovered, Submitted};

/// What a hint is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Hint {
    /// Some job may be ready to be claimed.
    Ready,
    /// Some held job may have been asked to pause or to cancel.
    Signal,
}

impl Hint {
    /// What a submission is to hint at.
    #[must_use]
    pub fn of_submitted(answers: &[Submitted]) -> Option<Self> {
        let is_new = |answer: &Submitted| matches!(answer, Submitted::Created(_));
        answers.iter().any(is_new).then_some(Self::Ready)
    }

    /// What a request to steer a job is to hint at.
    #[must_use]
    pub const fn of_control(answer: &ControlAnswer) -> Option<Self> {
        let ControlAnswer::Done(Controlled { state, changed: true }) = answer else { return None };
        match state {
            State::Queued => Some(Self::Ready),
            State::Pausing | State::Cancelling => Some(Self::Signal),
            State::Leased
            | State::Running
            | State::RetryWait
            | State::Paused
            | State::Succeeded
            | State::Failed
            | State::Cancelled => None,
        }
    }

    /// What a commit is to hint at, once it is applied.
    #[must_use]
    pub const fn of_commit(commit: &Commit) -> Option<Self> {
        match &commit.end {
            Some(End::HandedBack { wait, .. }) if wait.is_zero() => Some(Self::Ready),
            _ => None,
        }
    }

    /// What a firing is to hint at.
    #[must_use]
    pub fn of_fired(fired: &FiredAll) -> Option<Self> {
        let is_new = |one: &Fired| matches!(one.job, Submitted::Created(_));
        fired.jobs.iter().any(is_new).then_some(Self::Ready)
    }

    /// What a sweep is to hint at.
    #[must_use]
    pub const fn of_recovered(recovered: &Recovered) -> Option<Self> {
        if recovered.due.is_empty() && recovered.expired.is_empty() {
            return None;
        }
        Some(Self::Ready)
    }
}

/// Gives hints to everybody in this process who listens. Of many that nobody has heard yet one is left.
#[derive(Debug)]
pub struct HintSender {
    ready: watch::Sender<()>,
    signal: watch::Sender<()>,
}

impl HintSender {
    /// A sender that nobody listens to yet.
    #[must_use]
    pub fn new() -> Self {
        Self { ready: watch::Sender::new(()), signal: watch::Sender::new(()) }
    }

    /// Gives a hint.
    pub fn send(&self, hint: Hint) {
        match hint {
            Hint::Ready => self.ready.send_replace(()),
            Hint::Signal => self.signal.send_replace(()),
        }
    }

    /// Listens from now on.
    #[must_use]
    pub fn hints(&self) -> Hints {
        Hints { ready: self.ready.subscribe(), signal: self.signal.subscribe() }
    }
}

impl Default for HintSender {
    fn default() -> Self {
        Self::new()
    }
}

/// Hears hints.
#[derive(Debug)]
pub struct Hints {
    ready: watch::Receiver<()>,
    signal: watch::Receiver<()>,
}

impl Hints {
    /// Hears nothing, ever.
    #[must_use]
    pub fn none() -> Self {
        HintSender::new().hints()
    }

    /// The next hint, at once if one was given since the last. Never ends when no more can come.
    ///
    /// # Cancel safety
    ///
    /// A hint that was not answered is kept.
    pub async fn next(&mut self) -> Hint {
        tokio::select! {
            () = heard(&mut self.ready) => Hint::Ready,
            () = heard(&mut self.signal) => Hint::Signal,
        }
    }
}

async fn heard(receiver: &mut watch::Receiver<()>) {
    if receiver.changed().await.is_err() {
        std::future::pending::<()>().await;
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt as _;

    use super::{Hint, HintSender, Hints};

    #[tokio::test]
    async fn hints_that_nobody_has_heard_are_one() {
        let sender = HintSender::new();
        let mut hints = sender.hints();
        for _ in 0..1_000 {
            sender.send(Hint::Ready);
        }
        assert_eq!(hints.next().now_or_never(), Some(Hint::Ready));
        assert_eq!(hints.next().now_or_never(), None);
    }

    #[tokio::test]
    async fn one_kind_does_not_hide_the_other() {
        let sender = HintSender::new();
        let mut hints = sender.hints();
        sender.send(Hint::Signal);
        sender.send(Hint::Ready);
        let mut heard = [hints.next().await, hints.next().await];
        heard.sort_by_key(|hint| *hint == Hint::Signal);
        assert_eq!(heard, [Hint::Ready, Hint::Signal]);
    }

    #[tokio::test]
    async fn where_none_can_come_none_is_heard() {
        assert_eq!(Hints::none().next().now_or_never(), None);
    }
}
