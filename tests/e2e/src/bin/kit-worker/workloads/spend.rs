//! `spend`: stages with paid calls, small and large results, and work that costs nothing.

use std::time::Duration;

use bytes::Bytes;
use koinon::prelude::{
    Answer, Failure, Format, Item, ItemKey, JobContext, JobError, Message, Request, Workload,
    async_trait,
};
use koinon::runner::Artifact;
use serde::{Deserialize, Serialize};

/// The model that the price file of a test knows.
const MODEL: &str = "test-model";

/// So many calls the stage `plan` makes, one after the other, for one result.
const CALLS_OF_PLAN: u32 = 2;

/// How many bytes the result of `bind` has at least; more than a row holds.
const BOUND_BYTES: usize = 20_000;

pub(crate) struct Spend;

/// How much it does.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Input {
    /// How many items `write` and `weigh` have; each item of `write` is one paid call.
    items: u32,
    /// How long each item of `weigh` takes.
    weigh_ms: u64,
}

/// What came of it.
#[derive(Debug, Serialize)]
pub(crate) struct Output {
    sections: usize,
    weight: usize,
}

#[async_trait]
impl Workload for Spend {
    const KIND: &'static str = "spend";
    const STAGES: &'static [&'static str] = &["plan", "write", "weigh", "bind"];
    type Input = Input;
    type Output = Output;

    async fn run(&self, job: &JobContext, input: Input) -> Result<Output, JobError> {
        let plan = plan(job).await?;
        let sections = write(job, &plan, input.items).await?;
        let weight = weigh(job, &sections, Duration::from_millis(input.weigh_ms)).await?;
        let bound = job
            .stage("bind")
            .once(&sections, async |_stage| Ok(sections.join("\n").repeat(repeats(&sections))))
            .await?;
        let bytes = Bytes::from(bound.into_bytes());
        let size_bytes = bytes.len() as u64;
        let digest = job.put(bytes).await?;
        let (name, media_type) = ("bound.txt".to_owned(), "text/plain".to_owned());
        job.attach(Artifact { name, media_type, size_bytes, digest });
        Ok(Output { sections: sections.len(), weight })
    }
}

/// Several calls for one result: what was answered before the result is stored must serve replay.
async fn plan(job: &JobContext) -> Result<String, JobError> {
    let plan = job.stage("plan").once("plan", async |stage| {
        let mut answers = Vec::new();
        for number in 0..CALLS_OF_PLAN {
            answers.push(stage.call(&request(job, "plan", number)).await?.text);
        }
        Ok(answers.join("\n"))
    });
    plan.await
}

/// One call an item: the answer and the item's result are one commit.
async fn write(job: &JobContext, plan: &str, items: u32) -> Result<Vec<String>, JobError> {
    let items = (0..items).map(|number| Ok((item(number)?, (number, plan.len()))));
    let items = items.collect::<Result<Vec<_>, JobError>>()?;
    let ask = |(number, _): &(u32, usize)| request(job, "write", *number);
    let read = |_: &_, answer: &Answer| Ok(answer.text.clone());
    let written = job.stage("write").concurrency(2).each_call(items, ask, read).await?;
    let text = |item: Item<String>| match item {
        Item::Answered(text) => Ok(text),
        Item::GivenUp { message, .. } => Err(Failure::permanent(message).into()),
    };
    written.into_iter().map(text).collect()
}

/// Work that costs nothing but time, item by item.
async fn weigh(job: &JobContext, sections: &[String], time: Duration) -> Result<usize, JobError> {
    let items = sections.iter().zip(0..).map(|(text, number)| Ok((item(number)?, text.clone())));
    let items = items.collect::<Result<Vec<_>, JobError>>()?;
    let weighed = job.stage("weigh").each(items, |_stage, text| async move {
        tokio::time::sleep(time).await;
        Ok(text.len())
    });
    Ok(weighed.await?.into_iter().sum())
}

fn item(number: u32) -> Result<ItemKey, JobError> {
    ItemKey::try_new(format!("{number}"))
        .map_err(|error| Failure::permanent(error.to_string()).into())
}

/// A request that no other job, stage or item makes. The server of the tests reads the passage.
fn request(job: &JobContext, stage: &str, number: u32) -> Request {
    let passage = format!("{} {stage} {number}.", job.id());
    Request {
        provider: "openai".to_owned(),
        model: MODEL.to_owned(),
        messages: vec![Message::user(format!("Say it\n<<<PASSAGE\n{passage}\nPASSAGE>>>"))],
        max_output_tokens: 100,
        format: Format::JsonObject,
    }
}

fn repeats(sections: &[String]) -> usize {
    let bytes: usize = sections.iter().map(|section| section.len() + 1).sum();
    BOUND_BYTES / bytes.max(1) + 1
}
