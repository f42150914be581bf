//! Whether what is submitted is likely to be there already.

use std::sync::atomic::{AtomicU32, Ordering};

/// So many groups look first after one that was there already.
const LOOKS: u32 = 64;

/// Whoever submits something new need not look for it, and whoever submits the same again and again would have
/// it refused each time. A process remembers which of the two it saw last.
#[derive(Debug, Default)]
pub(crate) struct Repeats {
    looks: AtomicU32,
}

impl Repeats {
    /// Whether the next group looks first.
    pub(crate) fn are_likely(&self) -> bool {
        self.looks.load(Ordering::Relaxed) > 0
    }

    /// A group met something that was there already.
    pub(crate) fn seen(&self) {
        self.looks.store(LOOKS, Ordering::Relaxed);
    }

    /// A group looked and found nothing.
    pub(crate) fn not_seen(&self) {
        let fewer = |looks: u32| looks.checked_sub(1);
        let _ = self.looks.fetch_update(Ordering::Relaxed, Ordering::Relaxed, fewer);
    }
}

#[cfg(test)]
mod tests {
    use super::{LOOKS, Repeats};

    #[test]
    fn after_a_repeat_some_groups_look_first() {
        let repeats = Repeats::default();
        assert!(!repeats.are_likely());
        repeats.seen();
        for _ in 0..LOOKS {
            assert!(repeats.are_likely());
            repeats.not_seen();
        }
        assert!(!repeats.are_likely());
        repeats.not_seen();
        assert!(!repeats.are_likely());
    }
}
