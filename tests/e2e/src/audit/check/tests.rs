//! A checker that cannot fail proves nothing.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::check;
use crate::audit::{Amounts, Audit, Checkpoint, Entry, Event, Standing};

fn amounts(cost: i64) -> Amounts {
    Amounts { cost, calls: 1, ..Amounts::default() }
}

fn entry(hold: &str, kind: &str, cost: i64) -> Entry {
    Entry {
        hold: hold.to_owned(),
        kind: kind.to_owned(),
        generation: 1,
        at: 0,
        call: format!("call of {hold}"),
        retry: 0,
        amounts: amounts(cost),
        usable: kind == "settled",
    }
}

fn event(seq: i64, name: &str, from: Option<&str>, to: Option<&str>) -> Event {
    let (from, to) = (from.map(str::to_owned), to.map(str::to_owned));
    Event { seq, at: seq, name: name.to_owned(), from, to, detail: String::new() }
}

/// A job that has succeeded with one call, and with another that is in doubt.
fn sound() -> Audit {
    let checkpoint =
        Checkpoint { stage: "s".into(), version: 1, item: "i".into(), input: "d".into() };
    Audit {
        standing: Standing {
            job: "1".to_owned(),
            state: "succeeded".to_owned(),
            generation: 1,
            attempt: 1,
            error_code: None,
            spent: amounts(3),
            reserved: Amounts::default(),
            in_doubt: amounts(9),
            open_holds: 0,
            lease_losses: 0,
            ready_at: 0,
        },
        events: vec![
            event(1, "submitted", None, Some("queued")),
            event(2, "claimed", Some("queued"), Some("leased")),
            event(3, "started", Some("leased"), Some("running")),
            event(4, "checkpointed", None, None),
            event(5, "succeeded", Some("running"), Some("succeeded")),
        ],
        ledger: vec![
            entry("one", "reserved", 5),
            entry("two", "reserved", 9),
            entry("one", "settled", 3),
            entry("two", "in_doubt", 9),
        ],
        checkpoints: vec![checkpoint],
    }
}

/// Whether the checker refuses the sound job once this was done to it.
fn refuses(spoil: impl FnOnce(&mut Audit)) -> bool {
    let mut audit = sound();
    spoil(&mut audit);
    catch_unwind(AssertUnwindSafe(|| check(&audit))).is_err()
}

#[test]
fn a_sound_job_passes() {
    check(&sound());
}

#[test]
fn a_spoilt_history_is_refused() {
    assert!(refuses(|audit| drop(audit.events.remove(3))), "a gap");
    assert!(refuses(|audit| audit.events.swap(1, 2)), "another order");
    assert!(refuses(|audit| audit.events[2].from = Some("queued".into())), "a jump");
    assert!(refuses(|audit| audit.standing.state = "running".into()), "another end");
    assert!(refuses(|audit| audit.events[4].at = 1), "time goes backwards");
    let twice = event(6, "succeeded", Some("succeeded"), Some("succeeded"));
    assert!(refuses(|audit| audit.events.push(twice)), "two terminal events");
}

#[test]
fn a_spoilt_ledger_is_refused() {
    assert!(refuses(|audit| audit.standing.spent.cost = 4), "another sum");
    assert!(refuses(|audit| audit.standing.in_doubt.calls = 0), "another sum of doubts");
    assert!(refuses(|audit| audit.standing.reserved.cost = 1), "something reserved");
    assert!(refuses(|audit| audit.standing.open_holds = 1), "an open hold that is not there");
    assert!(refuses(|audit| audit.ledger.push(entry("one", "settled", 3))), "settled twice");
    assert!(refuses(|audit| audit.ledger.push(entry("one", "in_doubt", 5))), "ended twice");
    assert!(refuses(|audit| drop(audit.ledger.remove(0))), "settled without a hold");
    assert!(refuses(|audit| drop(audit.ledger.remove(2))), "a hold that nobody ended");
    let again = |audit: &mut Audit| {
        let mut again = entry("three", "reserved", 1);
        again.usable = true;
        again.call = "call of one".into();
        audit.ledger.push(again);
        audit.ledger.push(entry("three", "released", 0));
        audit.standing.spent.calls += 1;
    };
    assert!(refuses(again), "two usable answers");
}

#[test]
fn a_spoilt_list_of_checkpoints_is_refused() {
    let twice = |audit: &mut Audit| {
        audit.checkpoints.push(audit.checkpoints[0].clone());
        audit.events.insert(4, event(5, "checkpointed", None, None));
        audit.events[5].seq = 6;
        audit.events[5].at = 6;
    };
    assert!(refuses(twice), "a checkpoint twice");
    assert!(refuses(|audit| audit.checkpoints.clear()), "an event without its checkpoint");
}
