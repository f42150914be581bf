//! How much is measured.

use std::time::Duration;

use clap::ValueEnum;

/// How much is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Size {
    /// What the floors are judged by: three rounds.
    Full,
    /// One short round, to see that everything works.
    Quick,
    /// As little as possible, for a test.
    Tiny,
}

impl Size {
    /// How long a floor, or a subject, is measured at a time.
    pub(crate) const fn slice(self) -> Duration {
        match self {
            Self::Full => Duration::from_secs(5),
            Self::Quick | Self::Tiny => Duration::from_secs(1),
        }
    }

    /// How long a subject may take to finish the jobs that wait; what is not finished then is left.
    pub(crate) const fn most_time(self) -> Duration {
        match self {
            Self::Full | Self::Quick => self.slice(),
            Self::Tiny => Duration::from_secs(200),
        }
    }

    /// How many times each is measured.
    pub(crate) const fn rounds(self) -> usize {
        match self {
            Self::Full => 3,
            Self::Quick | Self::Tiny => 1,
        }
    }

    /// How many jobs wait, at the most, for a subject that is measured.
    pub(crate) const fn most_jobs(self) -> u64 {
        match self {
            Self::Full | Self::Quick => 1_000_000,
            Self::Tiny => 64,
        }
    }

    /// How many claims are timed in a round.
    pub(super) const fn claims(self) -> usize {
        match self {
            Self::Full => 100,
            Self::Quick => 50,
            Self::Tiny => 5,
        }
    }

    /// How many starts are timed in a round.
    pub(super) const fn starts(self) -> usize {
        match self {
            Self::Full => 300,
            Self::Quick => 100,
            Self::Tiny => 2,
        }
    }

    /// How many workers are idle, how long they are left alone at first, and how long they are watched.
    pub(super) const fn idle(self) -> (usize, Duration, Duration) {
        match self {
            Self::Full => (10, Duration::from_secs(10), Duration::from_secs(60)),
            Self::Quick => (10, Duration::from_secs(5), Duration::from_secs(15)),
            Self::Tiny => (2, Duration::from_secs(3), Duration::from_secs(3)),
        }
    }

    /// How many looks are timed in a round, in each of the two ways there are.
    pub(super) const fn looks(self) -> usize {
        match self {
            Self::Full => 100,
            Self::Quick => 40,
            Self::Tiny => 3,
        }
    }

    /// How many starts without notifications are timed in a round, each up to a second long.
    pub(super) const fn untold(self) -> usize {
        match self {
            Self::Full => 7,
            Self::Quick => 4,
            Self::Tiny => 1,
        }
    }
}
