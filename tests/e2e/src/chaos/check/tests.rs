//! A checker that cannot fail proves nothing: hand-made evidence, sound and spoilt.

mod sound;

use super::{Finding, Promise, check, jobs, times};
use crate::chaos::evidence::{Evidence, Request};
use crate::chaos::tables::Record;
use sound::{JOB, entry, event, request, sound};

/// What the checker says once this was done to sound evidence.
fn spoilt(spoil: impl FnOnce(&mut Evidence)) -> Vec<Finding> {
    let mut evidence = sound();
    spoil(&mut evidence);
    check(&evidence)
}

/// Whether the checker sees a breach of this promise once this was done to the job.
#[track_caller]
fn breaks(promise: Promise, spoil: impl FnOnce(&mut Record)) {
    let findings = spoilt(|evidence| spoil(evidence.records.get_mut(JOB).expect("the job")));
    assert!(times(&findings, promise) > 0, "not seen: {findings:#?}");
}

#[test]
fn sound_evidence_passes() {
    assert_eq!(check(&sound()), []);
}

#[test]
fn a_lost_job_is_seen() {
    let promise = Promise::LostJob;
    let gone = spoilt(|evidence| evidence.records.clear());
    assert_eq!(jobs(&gone, promise), 1, "{gone:#?}");
    breaks(promise, |job| job.outcomes.clear());
    breaks(promise, |job| job.runs = job.outcomes.clone());
    breaks(promise, |job| job.runs = std::mem::take(&mut job.outcomes));
    breaks(promise, |job| job.outcomes[0].state = "running".into());
    breaks(promise, |job| job.outcomes[0].state = "failed".into());
    breaks(promise, |job| job.outcomes[0].error_code = Some("transient".into()));
    breaks(promise, |job| job.outcomes[0].limit[1] = Some(9));
    breaks(promise, |job| job.outcomes[0].set_aside_at = Some(1));
    breaks(promise, |job| job.outcomes[0].open_holds = 1);
    breaks(promise, |job| job.kind = "abort".into());
}

#[test]
fn an_artifact_that_is_not_there_is_seen() {
    let promise = Promise::LostJob;
    let gone = spoilt(|evidence| evidence.blobs.clear());
    assert_eq!((times(&gone, promise), jobs(&gone, promise)), (3, 1), "{gone:#?}");
    breaks(promise, |job| job.ledger[3].answer_digest = Some("other".into()));
    breaks(promise, |job| job.checkpoints[0].result_digest = Some("other".into()));
}

#[test]
fn a_stage_that_was_committed_twice_is_seen() {
    let promise = Promise::DoubleCommit;
    breaks(promise, |job| job.checkpoints.push(job.checkpoints[0].clone()));
    breaks(promise, |job| job.events.push(job.events[5].clone()));
    breaks(promise, |job| job.checkpoints.clear());
    breaks(promise, |job| drop(job.events.remove(5)));
}

#[test]
fn a_checkpoint_of_a_worker_that_had_lost_its_lease_is_seen() {
    breaks(Promise::DoubleCommit, |job| job.checkpoints[0].generation = 1);
}

#[test]
fn a_call_that_is_made_again_after_its_answer_was_stored_is_seen() {
    let promise = Promise::RepeatedCall;
    let again = spoilt(|evidence| evidence.requests.push(request(61)));
    assert_eq!(times(&again, promise), 1, "{again:#?}");
    breaks(promise, |job| {
        job.ledger.push(entry("three", "reserved", 70));
        job.ledger.push(entry("three", "settled", 80));
    });
}

#[test]
fn a_request_that_was_under_way_when_another_one_was_answered_is_no_repetition() {
    let under_way = |evidence: &mut Evidence| {
        let job = evidence.records.get_mut(JOB).expect("the job");
        job.ledger.insert(3, entry("three", "reserved", 55));
        job.ledger.push(entry("three", "in_doubt", 80));
        job.outcomes[0].in_doubt = [18, 2, 20, 20];
        evidence.requests.push(request(61));
    };
    assert_eq!(spoilt(under_way), []);
    let another = spoilt(|evidence| {
        under_way(evidence);
        evidence.requests.push(request(62));
    });
    assert_eq!(times(&another, Promise::RepeatedCall), 1, "{another:#?}");
}

#[test]
fn a_limit_that_was_passed_for_an_instant_is_seen() {
    let promise = Promise::Overspent;
    // 9 were in doubt, and 9 more reserved: 18 at the most, though 12 in the end.
    breaks(promise, |job| job.outcomes[0].limit[0] = Some(17));
    breaks(promise, |job| job.outcomes[0].limit[1] = Some(1));
    breaks(promise, |job| job.outcomes[0].limit[2] = Some(19));
    breaks(promise, |job| job.outcomes[0].limit[3] = Some(19));
    let kept = spoilt(|evidence| {
        let job = evidence.records.get_mut(JOB).expect("the job");
        job.outcomes[0].limit[0] = Some(18);
    });
    assert_eq!(times(&kept, promise), 0, "{kept:#?}");
}

#[test]
fn a_ledger_that_does_not_add_up_is_seen() {
    let promise = Promise::Overspent;
    breaks(promise, |job| job.outcomes[0].spent[0] = 4);
    breaks(promise, |job| job.outcomes[0].reserved[1] = 1);
    breaks(promise, |job| job.outcomes[0].in_doubt[1] = 0);
    breaks(promise, |job| drop(job.ledger.remove(0)));
    breaks(promise, |job| job.ledger.push(job.ledger[3].clone()));
    breaks(promise, |job| job.ledger.push(entry("one", "reconciled", 90)));
}

#[test]
fn a_request_that_nothing_was_held_for_is_seen() {
    let beside = spoilt(|evidence| {
        evidence.requests.push(Request { job: JOB.to_owned(), key: "unknown".to_owned(), at: 1 });
    });
    assert_eq!(jobs(&beside, Promise::Overspent), 1, "{beside:#?}");
}

#[test]
fn a_gap_in_the_history_is_seen() {
    let promise = Promise::EventGap;
    breaks(promise, |job| drop(job.events.remove(5)));
    breaks(promise, |job| job.events.swap(1, 2));
    breaks(promise, |job| job.events[3].from_state = Some("leased".into()));
    breaks(promise, |job| job.events[5].at = 0);
    breaks(promise, |job| job.events[5].generation = 1);
    breaks(promise, |job| job.outcomes[0].event_seq = 8);
    breaks(promise, |job| drop(job.events.pop()));
    breaks(promise, |job| {
        job.events.push(event(8, "succeeded", Some("succeeded"), Some("succeeded")));
        job.outcomes[0].event_seq = 8;
    });
}
