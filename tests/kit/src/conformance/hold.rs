//! Holds: what a limit allows before a call is made.

use std::time::Duration;

use koinon_budget::{Amounts, Axis, Exceeded, Limits};
use koinon_store::{Entry, EntryKind, Fenced, HoldOutcome, NewHold, Refusal};

use crate::{Case, Held, JobBuilder, commit, job};

fn exceeded(refusal: Refusal) -> Exceeded {
    match refusal {
        Refusal::BudgetExceeded(exceeded) => exceeded,
        other => panic!("refused for another reason: {other:?}"),
    }
}

pub async fn a_hold_reserves_its_worst_case(case: &Case) {
    let held = case.running(job().budget("1")).await;
    let hold = case.hold("a", "0.25");
    case.applied(commit(&held).hold(&hold)).await;
    let run = case.run(held.job).await;
    assert_eq!((run.balance.reserved, run.balance.spent), (hold.held, Amounts::ZERO));
    assert_eq!(run.open_holds, 1);
    let entries = case.entries(held.job).await;
    let [Entry { kind, call, priced, amounts, generation, .. }] = &entries[..] else {
        panic!("{entries:?}")
    };
    assert_eq!((*kind, call, priced), (EntryKind::Reserved, &hold.call, &hold.priced));
    assert_eq!((*amounts, *generation), (hold.held, held.generation));
}

/// Half of the limit spent, a quarter in doubt, an eighth reserved, an eighth free.
async fn mostly_used(case: &Case, job: JobBuilder, of: impl Fn(NewHold, i64) -> NewHold) -> Held {
    let held = case.running(job).await;
    let part = |item: &str, eighths| of(case.hold(item, "0"), eighths);
    let (spent, doubtful, open) = (part("a", 4), part("b", 2), part("c", 1));
    case.applied(commit(&held).hold(&spent).hold(&doubtful).hold(&open)).await;
    let outcome = HoldOutcome::Settled {
        cost: spent.held,
        usage: koinon_budget::Usage::default(),
        estimated: false,
        answer: None,
        usable: false,
    };
    let ends =
        commit(&held).end_hold(spent.id, outcome).end_hold(doubtful.id, HoldOutcome::InDoubt);
    case.applied(ends).await;
    held
}

async fn refuses_exactly_above(
    case: &Case,
    axis: Axis,
    limits: Limits,
    of: impl Fn(NewHold, i64) -> NewHold + Copy,
) {
    let held = mostly_used(case, job().limits(limits), of).await;
    let over = of(case.hold("d", "0"), 2);
    let wanted = Exceeded { axis, limit: 800, spent: 400, reserved: 300, asked: 200 };
    assert_eq!(exceeded(case.refused(commit(&held).hold(&over)).await), wanted);
    let fits = of(case.hold("d", "0"), 1);
    case.applied(commit(&held).hold(&fits)).await;
}

pub async fn no_hold_passes_the_limit_on_cost(case: &Case) {
    let limits = Limits { cost: Some(koinon_budget::NanoUsd::new(800)), ..Limits::default() };
    refuses_exactly_above(case, Axis::Cost, limits, |mut hold, eighths| {
        hold.held.cost = koinon_budget::NanoUsd::new(eighths * 100);
        hold
    })
    .await;
}

pub async fn no_hold_passes_the_limit_on_calls(case: &Case) {
    let limits = Limits { calls: Some(800), ..Limits::default() };
    refuses_exactly_above(case, Axis::Calls, limits, |mut hold, eighths| {
        hold.held.calls = eighths * 100;
        hold
    })
    .await;
}

pub async fn no_hold_passes_the_limit_on_input_tokens(case: &Case) {
    let limits = Limits { input_tokens: Some(800), ..Limits::default() };
    refuses_exactly_above(case, Axis::InputTokens, limits, |mut hold, eighths| {
        hold.held.input_tokens = eighths * 100;
        hold
    })
    .await;
}

pub async fn no_hold_passes_the_limit_on_output_tokens(case: &Case) {
    let limits = Limits { output_tokens: Some(800), ..Limits::default() };
    refuses_exactly_above(case, Axis::OutputTokens, limits, |mut hold, eighths| {
        hold.held.output_tokens = eighths * 100;
        hold
    })
    .await;
}

pub async fn no_item_passes_the_limit_on_items(case: &Case) {
    let limits = Limits { items: Some(3), ..Limits::default() };
    let held = case.running(job().limits(limits)).await;
    case.applied(commit(&held).items(2)).await;
    let wanted = Exceeded { axis: Axis::Items, limit: 3, spent: 2, reserved: 0, asked: 2 };
    assert_eq!(exceeded(case.refused(commit(&held).items(2)).await), wanted);
    case.applied(commit(&held).items(1)).await;
    assert_eq!(case.run(held.job).await.balance.items, 3);
}

pub async fn no_hold_is_opened_once_the_time_is_used_up(case: &Case) {
    let limits = Limits { run_for: Some(Duration::from_secs(10)), ..Limits::default() };
    let held = case.running(job().limits(limits)).await;
    case.clock.advance(Duration::from_secs(10));
    let hold = case.hold("a", "0.01");
    let refused = exceeded(case.refused(commit(&held).hold(&hold)).await);
    let (limit, spent) = (10_000_000, 10_000_000);
    let wanted = Exceeded { axis: Axis::RunFor, limit, spent, reserved: 0, asked: 0 };
    assert_eq!(refused, wanted);
    case.applied(commit(&held).checkpoint("a")).await;
}

pub async fn a_limit_of_zero_allows_no_call(case: &Case) {
    let held = case.running(job().calls(0)).await;
    let refused = exceeded(case.refused(commit(&held).hold(&case.hold("a", "0"))).await);
    assert_eq!((refused.axis, refused.limit, refused.asked), (Axis::Calls, 0, 1));
}

pub async fn a_budget_of_zero_allows_only_what_costs_nothing(case: &Case) {
    let held = case.running(job().budget("0")).await;
    let refused = exceeded(case.refused(commit(&held).hold(&case.hold("a", "0.000000001"))).await);
    assert_eq!((refused.axis, refused.limit, refused.asked), (Axis::Cost, 0, 1));
    case.applied(commit(&held).hold(&case.hold("a", "0"))).await;
}

pub async fn one_hold_too_many_refuses_the_whole_commit(case: &Case) {
    let held = case.running(job().budget("1")).await;
    let (fits, over) = (case.hold("a", "0.6"), case.hold("b", "0.6"));
    let refused = commit(&held).hold(&fits).hold(&over).checkpoint("c").note("seen", &[]);
    let refused = exceeded(case.refused(refused).await);
    assert_eq!((refused.reserved, refused.asked), (600_000_000, 600_000_000));
    case.applied(commit(&held).hold(&fits)).await;
}

pub async fn a_settlement_in_the_same_commit_makes_room_for_a_hold(case: &Case) {
    let held = case.running(job().budget("1")).await;
    let (first, second) = (case.hold("a", "0.9"), case.hold("b", "0.9"));
    case.applied(commit(&held).hold(&first)).await;
    case.applied(commit(&held).settle(first.id, "0.1").hold(&second)).await;
}

pub async fn holds_asked_for_at_once_never_pass_the_limit(case: &Case) {
    let mut jobs = Vec::new();
    for _ in 0..6 {
        jobs.push(case.running(job().calls(3)).await);
    }
    // Each job's worker misbehaves and sends six commits at once.
    let commits = jobs.iter().flat_map(|held| (0..6).map(move |n| (held, n.to_string())));
    let sent = commits.map(|(held, item)| {
        let hold = case.hold(&item, "0.01");
        case.commit(commit(held).hold(&hold))
    });
    for answer in futures::future::join_all(sent).await {
        assert!(matches!(answer.unwrap(), Fenced::Applied(_) | Fenced::Refused(_)));
    }
    for held in jobs {
        assert!(case.run(held.job).await.balance.reserved.calls <= 3);
    }
}

pub async fn holds_asked_for_one_after_the_other_stop_at_the_limit(case: &Case) {
    let held = case.running(job().budget("0.1")).await;
    let mut granted = 0;
    for n in 0..20 {
        let hold = case.hold(&n.to_string(), "0.015");
        match case.commit(commit(&held).hold(&hold)).await.unwrap() {
            Fenced::Applied(_) => granted += 1,
            Fenced::Refused(refusal) => assert_eq!(exceeded(refusal).axis, Axis::Cost),
            Fenced::Stale => panic!("nobody has overtaken the job"),
        }
    }
    assert_eq!(granted, 6);
}

pub async fn a_hold_opens_once(case: &Case) {
    let held = case.running(job()).await;
    let hold = case.hold("a", "0.01");
    case.applied(commit(&held).hold(&hold)).await;
    case.wrong(commit(&held).hold(&hold)).await;
    case.wrong(commit(&held).hold(&case.hold("b", "0.01")).hold(&hold)).await;
}

pub async fn a_commit_that_ends_the_claim_opens_no_hold(case: &Case) {
    let held = case.running(job()).await;
    case.wrong(commit(&held).hold(&case.hold("a", "0.01")).succeed()).await;
}
