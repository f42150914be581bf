//! `sleep`: takes time, item by item.

use std::time::Duration;

use koinon::prelude::{Failure, ItemKey, JobContext, JobError, Workload, async_trait};
use serde::Deserialize;

pub(crate) struct Sleep;

/// How much time.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Input {
    /// How many items there are, one after the other.
    items: u32,
    /// How long each takes.
    each_ms: u64,
}

#[async_trait]
impl Workload for Sleep {
    const KIND: &'static str = "sleep";
    const STAGES: &'static [&'static str] = &["sleep"];
    type Input = Input;
    type Output = usize;

    async fn run(&self, job: &JobContext, input: Input) -> Result<usize, JobError> {
        let key = |number: u32| {
            let key = ItemKey::try_new(format!("{number}"));
            key.map_err(|error| Failure::permanent(error.to_string()))
        };
        let items = (0..input.items).map(|number| Ok((key(number)?, number)));
        let items = items.collect::<Result<Vec<_>, JobError>>()?;
        let time = Duration::from_millis(input.each_ms);
        let slept = job.stage("sleep").each(items, |_stage, number| async move {
            tokio::time::sleep(time).await;
            Ok(number)
        });
        Ok(slept.await?.len())
    }
}
