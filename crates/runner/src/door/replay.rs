//! What the ledger knows about the calls of a stage.

use std::collections::HashMap;

use koinon_domain::Digest;
use koinon_store::{CallRecord, Stored};

use crate::context::Running;
use crate::{Halt, JobError, OnInDoubt};

/// The calls of a stage by digest and sample.
#[derive(Debug, Default)]
pub(crate) struct Known(HashMap<(Digest, u32), Call>);

#[derive(Debug, Default)]
struct Call {
    answer: Option<Stored>,
    next_retry: u32,
    in_doubt: bool,
}

impl Known {
    pub(crate) fn new(records: Vec<CallRecord>) -> Self {
        let mut calls: HashMap<_, Call> = HashMap::new();
        for record in records {
            let call = calls.entry((record.call.call, record.call.sample)).or_default();
            if record.answer.is_some() {
                call.answer = record.answer;
            }
            if record.rejected {
                call.next_retry = call.next_retry.max(record.call.retry.saturating_add(1));
            }
            call.in_doubt |= record.in_doubt;
        }
        Self(calls)
    }

    /// The stored answer that serves.
    pub(crate) fn answer(&self, call: Digest, sample: u32) -> Option<&Stored> {
        self.0.get(&(call, sample))?.answer.as_ref()
    }

    /// Whether the ledger knows the call at all.
    pub(crate) fn has(&self, call: Digest, sample: u32) -> bool {
        self.0.contains_key(&(call, sample))
    }

    /// How many answers were rejected so far.
    pub(crate) fn next_retry(&self, call: Digest, sample: u32) -> u32 {
        self.0.get(&(call, sample)).map_or(0, |known| known.next_retry)
    }

    pub(crate) fn is_in_doubt(&self, call: Digest, sample: u32) -> bool {
        self.0.get(&(call, sample)).is_some_and(|known| known.in_doubt)
    }
}

impl Running {
    /// Whether a call whose earlier request is in doubt may be asked again.
    pub(crate) fn check_in_doubt_policy(&self) -> Result<(), JobError> {
        match self.config.on_in_doubt {
            OnInDoubt::Retry => Ok(()),
            OnInDoubt::Pause => {
                self.held.stop(Halt::CallInDoubt);
                Err(Halt::CallInDoubt.into())
            }
        }
    }
}
