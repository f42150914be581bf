//! One paid call for each planned item.

use koinon_domain::ItemKey;
use koinon_provider::{Format, Message, Request};
use koinon_retry::Class;
use koinon_runner::{Answer, Failure, Item, JobContext, JobError, Rejected};
use serde::{Deserialize, Serialize};

use super::VERSION;
use crate::dataset::answer::{self, Draft};
use crate::dataset::input::Input;
use crate::dataset::plan::{Plan, PlannedItem};
use crate::dataset::prompts;

/// What the model wrote for an item.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Generated {
    pub(super) draft: Draft,
    /// The digest of stage, item and request.
    pub(super) call: String,
}

/// What came of each planned item, in the order of the plan.
pub(super) async fn generate(
    job: &JobContext,
    input: &Input,
    plan: &Plan,
) -> Result<Vec<Item<Generated>>, JobError> {
    let mut items = Vec::with_capacity(plan.items.len());
    for item in &plan.items {
        let key = ItemKey::try_new(item.key.clone())
            .map_err(|error| Failure::permanent(error.to_string()))?;
        items.push((key, item));
    }
    let concurrency = usize::try_from(input.settings.concurrency).unwrap_or(1);
    let generated = job
        .stage("generate")
        .version(VERSION)
        .concurrency(concurrency)
        .each_call(items, |item| request(input, item), |_, answer| read(answer))
        .await?;
    match first_if_all_given_up(&generated) {
        Some((code, message)) => {
            let message = format!("no answer was of use; the first was {code}: {message}");
            Err(Failure::new(Class::InvalidOutput, message).fatal().into())
        }
        None => Ok(generated),
    }
}

fn request(input: &Input, item: &PlannedItem) -> Request {
    let prompt = prompts::prompt(item);
    Request {
        provider: input.provider.clone(),
        model: input.model.clone(),
        messages: vec![Message::system(prompt.system), Message::user(prompt.user)],
        max_output_tokens: input.settings.max_output_tokens,
        format: Format::JsonObject,
    }
}

fn read(answer: &Answer) -> Result<Generated, Rejected> {
    match answer::read(&answer.text) {
        Ok(draft) => Ok(Generated { draft, call: answer.call.to_string() }),
        Err(why) => Err(Rejected { code: why.code, message: why.message }),
    }
}

fn first_if_all_given_up(items: &[Item<Generated>]) -> Option<(&str, &str)> {
    let mut first = None;
    for item in items {
        match item {
            Item::Answered(_) => return None,
            Item::GivenUp { code, message } => first = first.or(Some((&**code, &**message))),
        }
    }
    first
}
