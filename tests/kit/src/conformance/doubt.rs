//! Holds in doubt, and what is learnt about them late.

use std::time::Duration;

use koinon_budget::{Amounts, Usage};
use koinon_domain::{Control, HoldId, State};
use koinon_store::{
    Clock as _, EntryKind, HoldOutcome, HoldState, NewHold, Outcome, ReconcileAnswer,
    ReconcileRequest, Stored,
};

use crate::{Case, Held, commit, job, stage};

async fn reconcile(case: &Case, held: &Held, hold: HoldId, outcome: Outcome) -> ReconcileAnswer {
    let request = ReconcileRequest { tenant: held.tenant.clone(), hold, outcome };
    case.stores.ledger.reconcile(request).await.unwrap()
}

fn charged(usd: &str, answer: Option<&str>) -> Outcome {
    let usage = Usage { input_tokens: 80, cached_input_tokens: 0, output_tokens: 20 };
    Outcome::Charged {
        cost: Amounts::of_call(usd.parse().unwrap(), usage),
        usage: Some(usage),
        answer: answer.map(|text| Stored::Inline(text.as_bytes().to_vec())),
    }
}

async fn in_doubt(case: &Case) -> (Held, NewHold) {
    let held = case.running(job()).await;
    let hold = case.hold("a", "0.25");
    case.applied(commit(&held).hold(&hold)).await;
    case.applied(commit(&held).end_hold(hold.id, HoldOutcome::InDoubt)).await;
    (held, hold)
}

async fn answer_of(case: &Case, held: &Held) -> Option<Stored> {
    let calls = case.stores.ledger.calls(held.job, &stage("generate")).await.unwrap();
    assert_eq!(calls.len(), 1);
    calls[0].answer.clone()
}

pub async fn a_hold_in_doubt_stays_charged(case: &Case) {
    let held = case.running(job().budget("0.3")).await;
    let hold = case.hold("a", "0.25");
    case.applied(commit(&held).hold(&hold)).await;
    case.applied(commit(&held).end_hold(hold.id, HoldOutcome::InDoubt)).await;
    let balance = case.run(held.job).await.balance;
    assert_eq!((balance.in_doubt, balance.reserved), (hold.held, Amounts::ZERO));
    case.refused(commit(&held).hold(&case.hold("a", "0.1"))).await;
    let found = case.stores.ledger.in_doubt(&held.tenant, Some(held.job), 10).await.unwrap();
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].job, found[0].hold.id), (held.job, hold.id));
    assert_eq!((found[0].hold.state, found[0].hold.held), (HoldState::InDoubt, hold.held));
    assert_eq!((&found[0].hold.call, &found[0].hold.priced), (&hold.call, &hold.priced));
    let calls = case.stores.ledger.calls(held.job, &stage("generate")).await.unwrap();
    assert!(calls[0].in_doubt);
}

pub async fn every_end_of_a_claim_puts_its_open_holds_in_doubt(case: &Case) {
    let endings = [
        |held: &Held| commit(held).succeed(),
        |held: &Held| commit(held).fail(),
        |held: &Held| commit(held).retry_after(Duration::from_secs(1)),
        |held: &Held| commit(held).hand_back(),
    ];
    for end in endings {
        let held = case.running(job()).await;
        let (open, settled) = (case.hold("a", "0.25"), case.hold("b", "0.25"));
        case.applied(commit(&held).hold(&open).hold(&settled)).await;
        case.applied(end(&held).settle(settled.id, "0.1")).await;
        let balance = case.run(held.job).await.balance;
        assert_eq!((balance.in_doubt, balance.reserved), (open.held, Amounts::ZERO));
        let last = case.entries(held.job).await.pop().unwrap();
        assert_eq!((last.kind, last.hold), (EntryKind::InDoubt, open.id));
    }
}

pub async fn a_flush_puts_open_holds_in_doubt(case: &Case) {
    for control in [Control::Pause, Control::Cancel] {
        let held = case.running(job()).await;
        let hold = case.hold("a", "0.25");
        case.applied(commit(&held).hold(&hold)).await;
        case.control(held.job, control).await;
        case.applied(commit(&held).flush()).await;
        assert_eq!(case.run(held.job).await.balance.in_doubt, hold.held);
    }
}

pub async fn a_budget_that_is_used_up_leaves_open_holds_open(case: &Case) {
    let held = case.running(job()).await;
    let hold = case.hold("a", "0.25");
    case.applied(commit(&held).hold(&hold)).await;
    case.applied(commit(&held).out_of_budget()).await;
    assert_eq!(case.run(held.job).await.balance.reserved, hold.held);
    case.applied(commit(&held).settle(hold.id, "0.2")).await;
    case.applied(commit(&held).flush()).await;
    let run = case.run(held.job).await;
    assert_eq!((run.state, run.balance.in_doubt), (State::Paused, Amounts::ZERO));
}

pub async fn a_hold_in_doubt_is_reconciled_once(case: &Case) {
    let (held, hold) = in_doubt(case).await;
    let answer = reconcile(case, &held, hold.id, charged("0.2", None)).await;
    assert_eq!(answer, ReconcileAnswer::Reconciled(held.job));
    let balance = case.run(held.job).await.balance;
    assert_eq!((balance.in_doubt, balance.spent.cost), (Amounts::ZERO, "0.2".parse().unwrap()));
    assert_eq!(case.count(held.job, "reconciled").await, 1);
    let before = case.snapshot(held.job).await;
    let again = reconcile(case, &held, hold.id, Outcome::Nothing).await;
    assert_eq!(again, ReconcileAnswer::NotInDoubt);
    assert_eq!(case.snapshot(held.job).await, before);
    let found = case.stores.ledger.in_doubt(&held.tenant, None, 10).await.unwrap();
    assert_eq!(found, []);
}

pub async fn reconciliations_at_once_are_booked_once(case: &Case) {
    let (held, hold) = in_doubt(case).await;
    let asked = (0..8).map(|_| reconcile(case, &held, hold.id, charged("0.2", Some("late"))));
    let answers = futures::future::join_all(asked).await;
    let reconciled = |answer: &&ReconcileAnswer| **answer == ReconcileAnswer::Reconciled(held.job);
    assert_eq!(answers.iter().filter(reconciled).count(), 1);
}

pub async fn an_open_or_ended_hold_is_not_reconciled(case: &Case) {
    let held = case.running(job()).await;
    let (open, ended) = (case.hold("a", "0.25"), case.hold("b", "0.25"));
    case.applied(commit(&held).hold(&open).hold(&ended)).await;
    case.applied(commit(&held).settle(ended.id, "0.1")).await;
    let before = case.snapshot(held.job).await;
    for hold in [open.id, ended.id] {
        let answer = reconcile(case, &held, hold, charged("0.2", None)).await;
        assert_eq!(answer, ReconcileAnswer::NotInDoubt);
    }
    let nothing = HoldId::from_uuid(case.clock.uuid());
    let answer = reconcile(case, &held, nothing, charged("0.2", None)).await;
    assert_eq!(answer, ReconcileAnswer::NotFound);
    assert_eq!(case.snapshot(held.job).await, before);
}

pub async fn a_call_that_was_not_charged_still_counts_as_a_call(case: &Case) {
    let (held, hold) = in_doubt(case).await;
    reconcile(case, &held, hold.id, Outcome::Nothing).await;
    let balance = case.run(held.job).await.balance;
    assert_eq!(balance.spent, Amounts { calls: 1, ..Amounts::ZERO });
    assert_eq!(balance.in_doubt, Amounts::ZERO);
}

pub async fn a_hold_is_reconciled_whatever_became_of_the_job(case: &Case) {
    let first = case.running(job()).await;
    let hold = case.hold("a", "0.25");
    case.applied(commit(&first).hold(&hold)).await;
    case.lose_leases().await;
    let second = case.take(first.job).await;
    case.applied(commit(&second).start().checkpoint("a")).await;
    case.applied(commit(&second).succeed()).await;
    let answer = reconcile(case, &first, hold.id, charged("0.2", None)).await;
    assert_eq!(answer, ReconcileAnswer::Reconciled(first.job));
    let run = case.run(first.job).await;
    assert_eq!((run.state, run.balance.spent.cost), (State::Succeeded, "0.2".parse().unwrap()));
}

pub async fn a_late_answer_serves_replay_where_there_is_no_other(case: &Case) {
    let (held, hold) = in_doubt(case).await;
    assert_eq!(answer_of(case, &held).await, None);
    reconcile(case, &held, hold.id, charged("0.2", Some("late"))).await;
    assert_eq!(answer_of(case, &held).await, Some(Stored::Inline(b"late".to_vec())));
}

pub async fn a_late_answer_does_not_replace_the_one_that_serves_replay(case: &Case) {
    let (held, hold) = in_doubt(case).await;
    let again = case.hold("a", "0.25");
    case.applied(commit(&held).hold(&again)).await;
    case.applied(commit(&held).settle(again.id, "0.1")).await;
    let answer = reconcile(case, &held, hold.id, charged("0.2", Some("late"))).await;
    assert_eq!(answer, ReconcileAnswer::Reconciled(held.job));
    assert_eq!(answer_of(case, &held).await, Some(Stored::Inline(b"an answer".to_vec())));
    assert_eq!(case.run(held.job).await.balance.spent.cost, "0.3".parse().unwrap());
}

pub async fn a_settlement_after_a_late_answer_is_booked_and_the_late_answer_stays(case: &Case) {
    let (held, hold) = in_doubt(case).await;
    let again = case.hold("a", "0.25");
    case.applied(commit(&held).hold(&again)).await;
    reconcile(case, &held, hold.id, charged("0.2", Some("late"))).await;
    case.applied(commit(&held).settle(again.id, "0.1").checkpoint("a")).await;
    assert_eq!(answer_of(case, &held).await, Some(Stored::Inline(b"late".to_vec())));
    assert_eq!(case.run(held.job).await.balance.spent.cost, "0.3".parse().unwrap());
    let usable = case.entries(held.job).await.iter().filter(|entry| entry.usable).count();
    assert_eq!(usable, 1);
}

pub async fn two_answers_of_one_call_in_one_commit_leave_one_that_serves_replay(case: &Case) {
    let held = case.running(job()).await;
    let (first, second) = (case.hold("a", "0.25"), case.hold("a", "0.25"));
    case.applied(commit(&held).hold(&first).hold(&second)).await;
    case.applied(commit(&held).settle(first.id, "0.1").settle(second.id, "0.1")).await;
    let usable = case.entries(held.job).await.iter().filter(|entry| entry.usable).count();
    assert_eq!(usable, 1);
    assert_eq!(case.run(held.job).await.balance.spent.cost, "0.2".parse().unwrap());
}

pub async fn two_answers_of_one_call_in_two_commits_leave_the_first_to_serve_replay(case: &Case) {
    let held = case.running(job()).await;
    let (first, second) = (case.hold("a", "0.25"), case.hold("a", "0.25"));
    case.applied(commit(&held).hold(&first)).await;
    case.applied(commit(&held).hold(&second)).await;
    case.applied(commit(&held).settle(second.id, "0.1")).await;
    case.applied(commit(&held).settle(first.id, "0.1")).await;
    let entries = case.entries(held.job).await;
    let usable: Vec<_> = entries.iter().filter(|entry| entry.usable).map(|it| it.hold).collect();
    assert_eq!(usable, [second.id]);
    assert_eq!(case.run(held.job).await.balance.spent.cost, "0.2".parse().unwrap());
}

pub async fn a_reconciliation_tells_the_marks_that_it_reaches(case: &Case) {
    let held = case.running(job().budget("1")).await;
    let hold = case.hold("a", "0.5");
    case.applied(commit(&held).hold(&hold)).await;
    case.applied(commit(&held).end_hold(hold.id, HoldOutcome::InDoubt)).await;
    assert_eq!(case.count(held.job, "budget_reached").await, 0);
    reconcile(case, &held, hold.id, charged("0.9", None)).await;
    assert_eq!(case.count(held.job, "budget_reached").await, 1);
}

pub async fn a_list_of_holds_in_doubt_is_bounded(case: &Case) {
    let held = case.running(job()).await;
    for item in ["a", "b", "c"] {
        case.applied(commit(&held).hold(&case.hold(item, "0.1"))).await;
    }
    case.applied(commit(&held).fail()).await;
    let ledger = &case.stores.ledger;
    assert_eq!(ledger.in_doubt(&held.tenant, None, 2).await.unwrap().len(), 2);
    assert_eq!(ledger.in_doubt(&held.tenant, None, 10).await.unwrap().len(), 3);
}
