//! `ignore_signal`: keeps its thread for ever, whatever it is told.

use koinon::prelude::{JobContext, JobError, Workload, async_trait};
use serde::Deserialize;

pub(crate) struct IgnoreSignal;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Input {}

#[async_trait]
impl Workload for IgnoreSignal {
    const KIND: &'static str = "ignore_signal";
    const STAGES: &'static [&'static str] = &[];
    type Input = Input;
    type Output = ();

    async fn run(&self, _: &JobContext, _: Input) -> Result<(), JobError> {
        loop {
            std::thread::park();
        }
    }
}
