//! The ends of holds.

use koinon_budget::{Amounts, Limits, Usage};
use koinon_domain::{Control, HoldId, State};
use koinon_store::{Clock as _, EntryKind, HoldOutcome, Signal, Stored};

use crate::{Case, commit, job, settled, stage};

pub async fn a_settlement_books_what_the_call_cost_and_frees_the_rest(case: &Case) {
    let held = case.running(job()).await;
    let hold = case.hold("a", "0.25");
    case.applied(commit(&held).hold(&hold)).await;
    case.applied(commit(&held).settle(hold.id, "0.1")).await;
    let run = case.run(held.job).await;
    let usage = Usage { input_tokens: 80, cached_input_tokens: 10, output_tokens: 20 };
    assert_eq!(run.balance.spent, Amounts::of_call("0.1".parse().unwrap(), usage));
    assert_eq!((run.balance.reserved, run.open_holds), (Amounts::ZERO, 0));
    let entries = case.entries(held.job).await;
    let settled = &entries[1];
    assert_eq!((settled.kind, settled.hold), (EntryKind::Settled, hold.id));
    assert_eq!((settled.usage, settled.estimated), (Some(usage), false));
    assert_eq!((&settled.call, &settled.priced), (&hold.call, &hold.priced));
    assert_eq!(settled.answer, Some(Stored::Inline(b"an answer".to_vec())));
    assert!(settled.usable);
}

pub async fn a_settlement_above_its_hold_is_booked_in_full_and_told(case: &Case) {
    let held = case.running(job().budget("1")).await;
    let hold = case.hold("a", "0.25");
    case.applied(commit(&held).hold(&hold)).await;
    let signal = case.applied(commit(&held).settle(hold.id, "0.5")).await;
    assert_eq!(signal, Signal::Continue);
    assert_eq!(case.run(held.job).await.balance.spent.cost, "0.5".parse().unwrap());
    assert_eq!(case.count(held.job, "hold_exceeded").await, 1);
}

pub async fn a_settlement_that_passes_the_limit_is_booked_and_stops_the_job(case: &Case) {
    let held = case.leased(job().budget("0.3")).await;
    let hold = case.hold("a", "0.25");
    case.applied(commit(&held).start().hold(&hold)).await;
    let signal = case.applied(commit(&held).settle(hold.id, "0.5").checkpoint("a")).await;
    let Signal::OverBudget(over) = signal else { panic!("{signal:?}") };
    assert_eq!((over.limit, over.spent), (300_000_000, 500_000_000));
    assert_eq!(case.count(held.job, "hold_exceeded").await, 1);
    case.applied(commit(&held).out_of_budget()).await;
    assert_eq!(case.state(held.job).await, State::Pausing);
}

pub async fn a_settlement_within_its_hold_is_not_told_as_exceeded(case: &Case) {
    let held = case.running(job()).await;
    let hold = case.hold("a", "0.25");
    case.applied(commit(&held).hold(&hold)).await;
    case.applied(commit(&held).settle(hold.id, "0.25")).await;
    assert_eq!(case.count(held.job, "hold_exceeded").await, 0);
}

pub async fn a_release_before_sending_frees_everything(case: &Case) {
    let held = case.running(job().calls(1)).await;
    let hold = case.hold("a", "0.25");
    case.applied(commit(&held).hold(&hold)).await;
    case.applied(commit(&held).end_hold(hold.id, HoldOutcome::Released { sent: false })).await;
    let run = case.run(held.job).await;
    assert_eq!((run.balance.spent, run.balance.reserved), (Amounts::ZERO, Amounts::ZERO));
    case.applied(commit(&held).hold(&case.hold("a", "0.25"))).await;
}

pub async fn a_release_after_sending_counts_a_call(case: &Case) {
    let held = case.running(job().calls(1)).await;
    let hold = case.hold("a", "0.25");
    case.applied(commit(&held).hold(&hold)).await;
    case.applied(commit(&held).end_hold(hold.id, HoldOutcome::Released { sent: true })).await;
    let run = case.run(held.job).await;
    assert_eq!(run.balance.spent, Amounts { calls: 1, ..Amounts::ZERO });
    case.refused(commit(&held).hold(&case.hold("a", "0.25"))).await;
}

pub async fn a_hold_ends_once(case: &Case) {
    let ends = [settled("0.1"), HoldOutcome::Released { sent: true }, HoldOutcome::InDoubt];
    for first in &ends {
        let held = case.running(job()).await;
        let hold = case.hold("a", "0.25");
        case.applied(commit(&held).hold(&hold)).await;
        case.applied(commit(&held).end_hold(hold.id, first.clone())).await;
        for second in &ends {
            case.wrong(commit(&held).end_hold(hold.id, second.clone())).await;
        }
    }
}

pub async fn a_hold_ends_once_in_one_commit_too(case: &Case) {
    let held = case.running(job()).await;
    let hold = case.hold("a", "0.25");
    case.applied(commit(&held).hold(&hold)).await;
    let release = HoldOutcome::Released { sent: false };
    case.wrong(commit(&held).settle(hold.id, "0.1").end_hold(hold.id, release)).await;
}

pub async fn a_hold_of_another_job_is_not_ended(case: &Case) {
    let theirs = case.running(job()).await;
    let hold = case.hold("a", "0.25");
    case.applied(commit(&theirs).hold(&hold)).await;
    let ours = case.running(job()).await;
    case.wrong(commit(&ours).settle(hold.id, "0.1")).await;
    case.wrong(commit(&ours).settle(HoldId::from_uuid(case.clock.uuid()), "0.1")).await;
    assert_eq!(case.entries(theirs.job).await.len(), 1);
}

pub async fn a_settlement_is_written_whatever_the_job_was_asked(case: &Case) {
    for control in [Control::Pause, Control::Cancel] {
        let held = case.running(job()).await;
        let hold = case.hold("a", "0.25");
        case.applied(commit(&held).hold(&hold)).await;
        case.control(held.job, control).await;
        case.applied(commit(&held).settle(hold.id, "0.1").flush()).await;
        assert_eq!(case.run(held.job).await.balance.spent.cost, "0.1".parse().unwrap());
    }
}

pub async fn a_settlement_is_written_under_a_limit_that_was_lowered(case: &Case) {
    let held = case.running(job().budget("1")).await;
    let hold = case.hold("a", "0.25");
    case.applied(commit(&held).hold(&hold)).await;
    let lower = Limits { cost: Some("0.01".parse().unwrap()), ..Limits::default() };
    case.set_limits(held.job, lower).await;
    let signal = case.applied(commit(&held).settle(hold.id, "0.2")).await;
    assert_eq!(signal, Signal::Continue);
    case.refused(commit(&held).hold(&case.hold("b", "0.001"))).await;
}

pub async fn a_usable_answer_serves_replay(case: &Case) {
    let held = case.running(job()).await;
    let hold = case.hold("a", "0.25");
    case.applied(commit(&held).hold(&hold)).await;
    case.applied(commit(&held).settle(hold.id, "0.1")).await;
    let calls = case.stores.ledger.calls(held.job, &stage("generate")).await.unwrap();
    assert_eq!(calls.len(), 1);
    assert_eq!(calls[0].call, hold.call);
    assert_eq!(calls[0].answer, Some(Stored::Inline(b"an answer".to_vec())));
    assert_eq!((calls[0].rejected, calls[0].in_doubt), (false, false));
    let other = case.stores.ledger.calls(held.job, &stage("other")).await.unwrap();
    assert_eq!(other, []);
}

pub async fn a_rejected_answer_is_charged_and_serves_no_replay(case: &Case) {
    let held = case.running(job()).await;
    let hold = case.hold("a", "0.25");
    case.applied(commit(&held).hold(&hold)).await;
    let mut outcome = settled("0.1");
    if let HoldOutcome::Settled { usable, estimated, .. } = &mut outcome {
        (*usable, *estimated) = (false, true);
    }
    case.applied(commit(&held).end_hold(hold.id, outcome)).await;
    let mut again = case.hold("a", "0.25");
    again.call.retry = 1;
    case.applied(commit(&held).hold(&again)).await;
    case.applied(commit(&held).settle(again.id, "0.1")).await;
    let mut calls = case.stores.ledger.calls(held.job, &stage("generate")).await.unwrap();
    calls.sort_by_key(|record| record.call.retry);
    assert_eq!(calls.len(), 2);
    assert_eq!((&calls[0].answer, calls[0].rejected), (&None, true));
    assert!(!calls[1].rejected);
    assert!(calls[1].answer.is_some());
    assert!(case.entries(held.job).await[1].estimated);
    assert_eq!(case.run(held.job).await.balance.spent.cost, "0.2".parse().unwrap());
}

pub async fn an_answer_may_be_a_blob(case: &Case) {
    let held = case.running(job()).await;
    let hold = case.hold("a", "0.25");
    case.applied(commit(&held).hold(&hold)).await;
    let blob = Stored::Blob { digest: koinon_domain::Digest::of(b"x"), size_bytes: 1 << 40 };
    let mut outcome = settled("0.1");
    if let HoldOutcome::Settled { answer, .. } = &mut outcome {
        *answer = Some(blob.clone());
    }
    case.applied(commit(&held).end_hold(hold.id, outcome)).await;
    let calls = case.stores.ledger.calls(held.job, &stage("generate")).await.unwrap();
    assert_eq!(calls[0].answer, Some(blob));
}

pub async fn the_samples_of_a_call_are_calls_of_their_own(case: &Case) {
    let held = case.running(job()).await;
    let first = case.hold("a", "0.1");
    let mut second = case.hold("a", "0.1");
    second.call.sample = 1;
    case.applied(commit(&held).hold(&first).hold(&second)).await;
    case.applied(commit(&held).settle(first.id, "0.1").settle(second.id, "0.1")).await;
    let calls = case.stores.ledger.calls(held.job, &stage("generate")).await.unwrap();
    assert_eq!(calls.iter().filter(|record| record.answer.is_some()).count(), 2);
}
