//! What happens next: drawn from a shuffled deck, so that every kind of harm has its share in any run.

use crate::seed::Seed;

/// A harm.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Harm {
    /// `kill -9`.
    Kill,
    /// SIGSTOP for longer than a lease, then SIGCONT.
    Stop,
    /// SIGTERM.
    Terminate,
    /// Cut connections.
    Cut,
    /// End the database server all at once, and start it again.
    RestartDatabase,
}

/// The cards of one round, with a database server that can be harmed or without one.
const ROUND: [(Harm, usize, usize); 5] = [
    (Harm::Kill, 14, 14),
    (Harm::Stop, 4, 5),
    (Harm::Terminate, 2, 2),
    (Harm::Cut, 3, 0),
    (Harm::RestartDatabase, 1, 0),
];

/// A deck that is shuffled again when it is empty.
#[derive(Debug)]
pub(super) struct Deck {
    has_server: bool,
    left: Vec<Harm>,
}

impl Deck {
    pub(super) const fn new(has_server: bool) -> Self {
        Self { has_server, left: Vec::new() }
    }

    pub(super) fn draw(&mut self, seed: &mut Seed) -> Harm {
        if self.left.is_empty() {
            for (harm, with_server, without) in ROUND {
                let cards = if self.has_server { with_server } else { without };
                self.left.extend(std::iter::repeat_n(harm, cards));
            }
        }
        let at = seed.index(self.left.len());
        self.left.swap_remove(at)
    }
}
