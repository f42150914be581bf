//! The workloads that are measured: as little work as there can be, so that only the engine costs time.

use koinon::prelude::{
    Answer, Item, ItemKey, JobContext, JobError, Rejected, Request, Workload, async_trait,
};
use koinon::provider::{Format, Message};
use serde::{Deserialize, Serialize};

use crate::instant;

/// The model that is asked; it has a price.
pub(super) const MODEL: &str = "copy";

/// What a stage, or a call, comes to.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Made {
    ok: bool,
    v: u32,
}

const MADE: Made = Made { ok: true, v: 12_345 };

/// Does nothing.
#[derive(Debug)]
pub(super) struct Noop;

#[async_trait]
impl Workload for Noop {
    const KIND: &'static str = "noop";
    const STAGES: &'static [&'static str] = &[];
    type Input = serde_json::Value;
    type Output = ();

    async fn run(&self, _job: &JobContext, _input: Self::Input) -> Result<(), JobError> {
        Ok(())
    }
}

/// Three stages, each with a checkpoint.
#[derive(Debug)]
pub(super) struct Stages;

#[async_trait]
impl Workload for Stages {
    const KIND: &'static str = "stages";
    const STAGES: &'static [&'static str] = &["one", "two", "three"];
    type Input = serde_json::Value;
    type Output = ();

    async fn run(&self, job: &JobContext, _input: Self::Input) -> Result<(), JobError> {
        for stage in Self::STAGES {
            let _made: Made = job.stage(stage).once(&1, |_scope| async { Ok(MADE) }).await?;
        }
        Ok(())
    }
}

/// Paid calls, one after the other.
#[derive(Debug)]
pub(super) struct Paid;

#[async_trait]
impl Workload for Paid {
    const KIND: &'static str = "paid";
    const STAGES: &'static [&'static str] = &["ask"];
    type Input = Calls;
    type Output = ();

    async fn run(&self, job: &JobContext, Calls { calls }: Calls) -> Result<(), JobError> {
        let items: Vec<(ItemKey, u32)> = (0..calls)
            .filter_map(|call| Some((ItemKey::try_new(format!("item-{call:06}")).ok()?, call)))
            .collect();
        let read = |_: &u32, _: &Answer| Ok::<_, Rejected>(MADE);
        let _made: Vec<Item<Made>> = job.stage("ask").each_call(items, ask, read).await?;
        Ok(())
    }
}

/// How many calls a job makes.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Calls {
    pub(super) calls: u32,
}

fn ask(call: &u32) -> Request {
    Request {
        provider: instant::NAME.to_owned(),
        model: MODEL.to_owned(),
        messages: vec![Message::user(format!("question {call}"))],
        max_output_tokens: 100,
        format: Format::JsonObject,
    }
}
