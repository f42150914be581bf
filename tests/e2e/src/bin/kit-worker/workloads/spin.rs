//! `spin`: keeps its thread busy, as no workload should.

use koinon::prelude::{JobContext, JobError, Workload, async_trait};
use koinon::store::{Clock as _, SystemClock};
use serde::Deserialize;

pub(crate) struct Spin;

/// For how long.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Input {
    spin_ms: u64,
}

#[async_trait]
impl Workload for Spin {
    const KIND: &'static str = "spin";
    const STAGES: &'static [&'static str] = &[];
    type Input = Input;
    type Output = u64;

    async fn run(&self, _: &JobContext, input: Input) -> Result<u64, JobError> {
        let (clock, time) = (SystemClock::new(), std::time::Duration::from_millis(input.spin_ms));
        let mut turns = 0;
        while clock.monotonic() < time {
            turns += 1;
            std::hint::spin_loop();
        }
        Ok(turns)
    }
}
