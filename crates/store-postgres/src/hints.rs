//! Hints between the processes that share a database (ADR 0020).

mod listen;
mod notify;

use std::sync::atomic::{AtomicBool, Ordering};

use koinon_store::{Clock as _, Hint, HintSender, Hints, SystemClock};
use tokio::sync::Notify;

pub(crate) use listen::listen;
pub(crate) use notify::notify;

/// The channel of the database that all processes share.
const CHANNEL: &str = "koinon_hints";

/// Where hints of this process go out, and those of the others come in.
#[derive(Debug)]
pub(crate) struct Hinting {
    here: HintSender,
    /// Who says it, so that nobody hears himself.
    own: String,
    untold: Untold,
    wanted: Notify,
}

/// What the other processes were not told yet. However many hints wait, they are one notification.
#[derive(Debug, Default)]
struct Untold {
    ready: AtomicBool,
    signal: AtomicBool,
    wake: Notify,
}

impl Hinting {
    pub(crate) fn new() -> Self {
        let own = SystemClock::new().uuid().simple().to_string();
        Self { here: HintSender::new(), own, untold: Untold::default(), wanted: Notify::new() }
    }

    /// Tells everybody, once what the hint is about is committed.
    pub(crate) fn give(&self, hint: Option<Hint>) {
        let Some(hint) = hint else { return };
        self.here.send(hint);
        let kind = match hint {
            Hint::Ready => &self.untold.ready,
            Hint::Signal => &self.untold.signal,
        };
        kind.store(true, Ordering::Release);
        self.untold.wake.notify_one();
    }

    /// Listens; from the first time on this process hears the others too.
    pub(crate) fn hints(&self) -> Hints {
        self.wanted.notify_one();
        self.here.hints()
    }

    /// Takes what the others were not told, as the text of one notification. All have the same length.
    fn take_untold(&self) -> Option<String> {
        let ready = self.untold.ready.swap(false, Ordering::AcqRel);
        let signal = self.untold.signal.swap(false, Ordering::AcqRel);
        let kind = match (ready, signal) {
            (true, false) => 'r',
            (false, true) => 's',
            (true, true) => 'b',
            (false, false) => return None,
        };
        Some(format!("{kind}{}", self.own))
    }

    /// Hears a notification. One that makes no sense is a hint at everything.
    fn hear(&self, said: &str) {
        let (kind, who) = said.split_at_checked(1).unwrap_or_default();
        if who == self.own {
            return;
        }
        if kind != "s" {
            self.here.send(Hint::Ready);
        }
        if kind != "r" {
            self.here.send(Hint::Signal);
        }
    }

    /// Nobody listened for a while, so anything may have been said.
    fn may_have_missed_some(&self) {
        self.here.send(Hint::Ready);
        self.here.send(Hint::Signal);
    }
}

#[cfg(test)]
mod tests {
    use super::{Hint, Hinting};

    #[test]
    fn whatever_is_said_has_one_length() {
        let hinting = Hinting::new();
        let mut lengths = Vec::new();
        for given in [&[Hint::Ready][..], &[Hint::Signal], &[Hint::Ready, Hint::Signal]] {
            for _ in 0..1_000 {
                given.iter().for_each(|hint| hinting.give(Some(*hint)));
            }
            lengths.push(hinting.take_untold().unwrap().len());
            assert_eq!(hinting.take_untold(), None, "a thousand hints are one notification");
        }
        assert_eq!(lengths, [33; 3]);
    }

    #[tokio::test]
    async fn a_process_does_not_hear_itself_but_everybody_else() {
        let (one, other) = (Hinting::new(), Hinting::new());
        one.give(Some(Hint::Signal));
        let said = one.take_untold().unwrap();
        let (mut here, mut there) = (one.hints(), other.hints());
        one.hear(&said);
        other.hear(&said);
        assert_eq!(there.next().await, Hint::Signal);
        other.give(Some(Hint::Ready));
        one.hear(&other.take_untold().unwrap());
        assert_eq!(here.next().await, Hint::Ready, "its own signal is not heard before");
    }

    #[tokio::test]
    async fn nonsense_is_a_hint_at_everything() {
        for said in ["", "x", "\u{e9}", "nonsense"] {
            let hinting = Hinting::new();
            let mut hints = hinting.hints();
            hinting.hear(said);
            let heard = [hints.next().await, hints.next().await];
            assert!(heard.contains(&Hint::Ready) && heard.contains(&Hint::Signal), "{said:?}");
        }
    }
}
