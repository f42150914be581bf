//! Calls, holds and checkpoint keys.

use koinon_budget::{Amounts, ProfileId, Usage};
use koinon_domain::{Digest, HoldId, ItemKey, StageName};
use koinon_store::{CallRef, CheckpointKey, Clock, HoldOutcome, NewHold, Priced, Stored};

/// A stage's name.
#[must_use]
pub fn stage(name: &str) -> StageName {
    StageName::try_new(name).unwrap()
}

/// The first try of the call that an item of the stage `generate` makes.
#[must_use]
pub fn call(item: &str) -> CallRef {
    CallRef {
        stage: stage("generate"),
        item: Some(ItemKey::try_new(item).unwrap()),
        call: Digest::of(item.as_bytes()),
        sample: 0,
        retry: 0,
    }
}

/// A hold for the call of `item`: the cost in dollars, one call, 100 input and 50 output tokens.
#[must_use]
pub fn hold(clock: &dyn Clock, item: &str, usd: &str) -> NewHold {
    NewHold {
        id: HoldId::from_uuid(clock.uuid()),
        call: call(item),
        priced: Priced {
            provider: "fake".to_owned(),
            model: "fake-1".to_owned(),
            profile: Some(ProfileId::from_stored("fake-2026-11".to_owned())),
        },
        held: Amounts {
            cost: usd.parse().unwrap(),
            calls: 1,
            input_tokens: 100,
            output_tokens: 50,
        },
    }
}

/// A settlement with a usable answer that cost so many dollars, 80 input and 20 output tokens.
#[must_use]
pub fn settled(usd: &str) -> HoldOutcome {
    let usage = Usage { input_tokens: 80, cached_input_tokens: 10, output_tokens: 20 };
    HoldOutcome::Settled {
        cost: Amounts::of_call(usd.parse().unwrap(), usage),
        usage,
        estimated: false,
        answer: Some(Stored::Inline(b"an answer".to_vec())),
        usable: true,
    }
}

/// The key of an item's checkpoint in a stage.
#[must_use]
pub fn key(stage_name: &str, item: &str) -> CheckpointKey {
    CheckpointKey {
        stage: stage(stage_name),
        version: 1,
        item: Some(ItemKey::try_new(item).unwrap()),
        input: Digest::of(item.as_bytes()),
    }
}
