//! What may happen next. The numbers choose among what there is at that time.

use koinon_domain::Control;
use proptest::prelude::{Just, Strategy, any, prop_oneof};

/// Ops that are asked for at once.
#[derive(Debug, Clone)]
pub(super) struct Batch {
    /// Which claim most of them are about, if they are about one.
    pub(super) claim: Option<u8>,
    pub(super) ops: Vec<Op>,
}

#[derive(Debug, Clone)]
pub(super) enum Op {
    Submit { what: What, priority: u8, limits: u8, max_attempts: u8, replace: bool },
    Pass { seconds: u16 },
    SetBack { seconds: u16 },
    Claim { worker: u8, queue: u8, one: Option<u8>, limit: u8, running: u8, starts: bool },
    Beat { worker: u8, forgotten: u8, abandoned: u8 },
    Commit { claim: u8, parts: Parts },
    Repeat { commit: u8 },
    Control { job: u8, control: Control },
    Limits { job: u8, limits: u8, raise: bool },
    Recover { limit: u8 },
    Reconcile { hold: u8, cost: Option<u8>, answer: bool },
    PauseQueue { queue: u8 },
    ResumeQueue { queue: u8 },
}

/// What makes a job another one.
#[derive(Debug, Clone, Copy)]
pub(super) struct What {
    pub(super) identity: u8,
    pub(super) tenant: u8,
    pub(super) queue: u8,
}

#[derive(Debug, Clone)]
pub(super) struct Parts {
    pub(super) start: bool,
    pub(super) items: u8,
    pub(super) holds: Vec<(u8, u8)>,
    pub(super) hold_ends: Vec<(u8, HoldEnd)>,
    pub(super) checkpoint: Option<u8>,
    pub(super) end: Option<End>,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum HoldEnd {
    Settled { cost: u8, usable: bool },
    Released { sent: bool },
    InDoubt,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum End {
    Succeeded,
    Failed,
    Retryable { seconds: u8 },
    HandedBack { seconds: u8, interrupted: bool },
    BudgetExhausted,
    Flushed,
}

/// Half of the batches are about one claim, so that what they ask for meets.
pub(super) fn batch() -> impl Strategy<Value = Batch> {
    (proptest::option::of(any::<u8>()), proptest::collection::vec(op(5), 2..=6))
        .prop_map(|(claim, ops)| Batch { claim, ops })
}

/// Mostly work on jobs of so many identities, so that sequences get somewhere before something interrupts them.
pub(super) fn op(identities: u8) -> impl Strategy<Value = Op> {
    let small = || 0_u8..4;
    prop_oneof![
        4 => (what(identities), 0_u8..3, small(), 0_u8..4, any::<bool>()).prop_map(
            |(what, priority, limits, max_attempts, replace)| Op::Submit {
                what, priority, limits, max_attempts, replace
            }
        ),
        2 => (0_u16..50).prop_map(|seconds| Op::Pass { seconds }),
        1 => (50_u16..150).prop_map(|seconds| Op::Pass { seconds }),
        1 => (0_u16..500).prop_map(|seconds| Op::SetBack { seconds }),
        6 => (
            0_u8..3,
            queue(),
            proptest::option::weighted(0.3, any::<u8>()),
            small(),
            0_u8..6,
            any::<bool>(),
        ).prop_map(
            |(worker, queue, one, limit, running, starts)| Op::Claim {
                worker, queue, one, limit, running, starts
            }
        ),
        2 => (0_u8..3, any::<u8>(), any::<u8>()).prop_map(
            |(worker, forgotten, abandoned)| Op::Beat { worker, forgotten, abandoned }
        ),
        20 => (any::<u8>(), parts()).prop_map(|(claim, parts)| Op::Commit { claim, parts }),
        2 => any::<u8>().prop_map(|commit| Op::Repeat { commit }),
        4 => (any::<u8>(), control()).prop_map(|(job, control)| Op::Control { job, control }),
        1 => (any::<u8>(), small(), any::<bool>()).prop_map(
            |(job, limits, raise)| Op::Limits { job, limits, raise }
        ),
        3 => (0_u8..5).prop_map(|limit| Op::Recover { limit }),
        2 => (any::<u8>(), proptest::option::of(small()), any::<bool>()).prop_map(
            |(hold, cost, answer)| Op::Reconcile { hold, cost, answer }
        ),
        1 => queue().prop_map(|queue| Op::PauseQueue { queue }),
        2 => queue().prop_map(|queue| Op::ResumeQueue { queue }),
    ]
}

fn what(identities: u8) -> impl Strategy<Value = What> {
    (0..identities, 0_u8..2, queue()).prop_map(|(identity, tenant, queue)| What {
        identity,
        tenant,
        queue,
    })
}

/// Mostly the same one, so that jobs meet.
fn queue() -> impl Strategy<Value = u8> {
    prop_oneof![3 => Just(0), 1 => Just(1)]
}

fn control() -> impl Strategy<Value = Control> {
    prop_oneof![
        2 => Just(Control::Pause),
        4 => Just(Control::Resume),
        1 => Just(Control::Cancel),
        4 => Just(Control::Retry)
    ]
}

fn parts() -> impl Strategy<Value = Parts> {
    prop_oneof![3 => full_parts(), 2 => light_parts()]
}

/// A commit that spends nothing and goes on, as most do.
fn light_parts() -> impl Strategy<Value = Parts> {
    let checkpoint = proptest::option::weighted(0.7, 0_u8..30);
    (any::<bool>(), checkpoint).prop_map(|(start, checkpoint)| Parts {
        start,
        items: 0,
        holds: Vec::new(),
        hold_ends: Vec::new(),
        checkpoint,
        end: None,
    })
}

fn full_parts() -> impl Strategy<Value = Parts> {
    let holds = proptest::collection::vec((0_u8..3, 0_u8..4), 0..3);
    let hold_ends = proptest::collection::vec((any::<u8>(), hold_end()), 0..3);
    let checkpoint = proptest::option::weighted(0.3, 0_u8..30);
    let end = proptest::option::weighted(0.2, end());
    (proptest::bool::weighted(0.8), 0_u8..2, holds, hold_ends, checkpoint, end).prop_map(
        |(start, items, holds, hold_ends, checkpoint, end)| Parts {
            start,
            items,
            // A commit that ends its claim and opens holds is wrong, so most do not.
            holds: if end.is_some() && checkpoint != Some(0) { Vec::new() } else { holds },
            hold_ends,
            checkpoint,
            end,
        },
    )
}

fn hold_end() -> impl Strategy<Value = HoldEnd> {
    prop_oneof![
        4 => (0_u8..5, any::<bool>()).prop_map(|(cost, usable)| HoldEnd::Settled { cost, usable }),
        1 => any::<bool>().prop_map(|sent| HoldEnd::Released { sent }),
        2 => Just(HoldEnd::InDoubt),
    ]
}

fn end() -> impl Strategy<Value = End> {
    prop_oneof![
        Just(End::Succeeded),
        Just(End::Failed),
        (0_u8..60).prop_map(|seconds| End::Retryable { seconds }),
        (0_u8..60, any::<bool>())
            .prop_map(|(seconds, interrupted)| End::HandedBack { seconds, interrupted }),
        Just(End::BudgetExhausted),
        Just(End::Flushed),
    ]
}
