//! What the numbers of an op stand for.

use std::time::Duration;

use koinon_budget::{Limits, NanoUsd};
use koinon_domain::QueueName;
use koinon_store::{End, HoldOutcome, Outcome, RunningLimits, Stored};

use super::op;
use crate::{CommitBuilder, settled};

const QUEUES: [&str; 2] = ["report", "export"];

pub(super) fn queue(choice: u8) -> QueueName {
    QueueName::try_new(QUEUES[usize::from(choice) % QUEUES.len()]).unwrap()
}

pub(super) fn queues() -> Vec<QueueName> {
    QUEUES.map(|name| QueueName::try_new(name).unwrap()).into()
}

pub(super) fn limits(choice: u8) -> Limits {
    match choice {
        0 => Limits::default(),
        1 => Limits { cost: Some(NanoUsd::new(50_000_000)), ..Limits::default() },
        2 => Limits { calls: Some(3), items: Some(4), ..Limits::default() },
        _ => Limits {
            input_tokens: Some(500),
            run_for: Some(Duration::from_secs(90)),
            ..Limits::default()
        },
    }
}

pub(super) fn running_limits(choice: u8) -> RunningLimits {
    let (running, per_tenant) = match choice {
        0 | 1 => (None, None),
        2 => (Some(3), None),
        3 => (None, Some(1)),
        4 => (None, Some(2)),
        _ => (Some(3), Some(2)),
    };
    RunningLimits { running, per_tenant }
}

pub(super) fn hold_outcome(end: op::HoldEnd) -> HoldOutcome {
    match end {
        op::HoldEnd::Settled { cost, usable: wanted } => {
            let mut outcome = settled(&format!("0.0{cost}"));
            if let HoldOutcome::Settled { usable, .. } = &mut outcome {
                *usable = wanted;
            }
            outcome
        }
        op::HoldEnd::Released { sent } => HoldOutcome::Released { sent },
        op::HoldEnd::InDoubt => HoldOutcome::InDoubt,
    }
}

pub(super) fn with_end(built: CommitBuilder, end: op::End) -> CommitBuilder {
    match end {
        op::End::Succeeded => built.succeed(),
        op::End::Failed => built.fail(),
        op::End::Retryable { seconds } => built.retry_after(Duration::from_secs(seconds.into())),
        op::End::HandedBack { seconds, interrupted } => {
            built.end(End::HandedBack { wait: Duration::from_secs(seconds.into()), interrupted })
        }
        op::End::BudgetExhausted => built.out_of_budget(),
        op::End::Flushed => built.flush(),
    }
}

pub(super) fn outcome(cost: Option<u8>, answer: bool) -> Outcome {
    let Some(cost) = cost else { return Outcome::Nothing };
    let HoldOutcome::Settled { cost, usage, .. } = settled(&format!("0.0{cost}")) else {
        return Outcome::Nothing;
    };
    let answer = answer.then(|| Stored::Inline(b"late".to_vec()));
    Outcome::Charged { cost, usage: Some(usage), answer }
}
