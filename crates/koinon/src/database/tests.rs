use std::time::Duration;

use super::answer_for;

const fn secs(secs: u64) -> Duration {
    Duration::from_secs(secs)
}

/// The connections that are kept for heartbeats die without a word just before one is due: it gets no answer, and
/// the next one finds out that the other connection is dead too.
#[test]
fn a_heartbeat_that_gets_no_answer_leaves_time_for_another_one() {
    for lease_for in [8, 12, 30, 60, 600, 3_600].map(secs) {
        let ping_for = (answer_for(lease_for) / 2).min(secs(2));
        let next_one_at = lease_for / 4 + answer_for(lease_for) + lease_for / 16 + ping_for;
        // A worker trusts its lease until an eighth of it is left.
        let trusted_until = lease_for - lease_for / 8;
        assert!(next_one_at < trusted_until, "{lease_for:?}: the next one is at {next_one_at:?}");
    }
}

#[test]
fn work_is_not_held_up_for_half_a_lease() {
    for lease_for in [5, 8, 60, 3_600].map(secs) {
        assert!(answer_for(lease_for) < lease_for / 2, "{lease_for:?}");
    }
    assert_eq!(answer_for(secs(60)), secs(15));
    assert_eq!((answer_for(secs(1)), answer_for(secs(3_600))), (secs(2), secs(30)));
}
