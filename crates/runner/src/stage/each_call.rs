//! A stage that makes one paid call for each item.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use koinon_domain::ItemKey;
use koinon_provider::Request;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::each::{run_all, within};
use super::results::Results;
use super::{Stage, input_digest};
use crate::JobError;
use crate::committer::Place;
use crate::door::{Answer, Called, Caller, Judged, Received, Rejected, ResultOf};

/// What came of an item.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Item<T> {
    /// The answer was of use.
    Answered(T),
    /// The answers were rejected `max_attempts` times, and the item was given up.
    GivenUp {
        /// A stable word for what was wrong with the last answer.
        code: String,
        /// What was wrong, for people.
        message: String,
    },
}

impl Stage<'_> {
    /// Makes one paid call for each item, several at once, and returns what came of them in the order of
    /// the items. `ask` makes the request; `read` says what an answer is worth.
    ///
    /// An answer's settlement and its item's result are one commit. An answer that `read` rejects stays
    /// charged; the call is made again in a later claim, and after `max_attempts` rejected answers the
    /// item is given up. `ask` must depend on the item alone.
    ///
    /// # Errors
    ///
    /// A reason to stop, the gravest failure of a call, or a failure of the store.
    pub async fn each_call<I, T, A, R>(
        self,
        items: Vec<(ItemKey, I)>,
        ask: A,
        read: R,
    ) -> Result<Vec<Item<T>>, JobError>
    where
        I: Serialize,
        T: Serialize + DeserializeOwned,
        A: Fn(&I) -> Request,
        R: Fn(&I, &Answer) -> Result<T, Rejected>,
    {
        let running = &self.job.0;
        running.held.check()?;
        let stage = self.declared()?;
        let total = items.len();
        let mut results = Results::read(running, &stage, self.version).await?;
        let known = results.known_calls(running).await?;
        let mut values: Vec<Option<Item<T>>> = Vec::with_capacity(total);
        let mut waiting = Vec::new();
        for (at, (key, item)) in items.into_iter().enumerate() {
            let input = input_digest(&item)?;
            let found = results.find(running, Some(&key), input, self.on_changed).await?;
            values.push(match found {
                Some(stored) => {
                    running.tally.count_replay();
                    let bytes = crate::stored::fetch(&running.services.artifacts, stored).await?;
                    Some(crate::stored::from_json(&bytes)?)
                }
                None => {
                    waiting.push((at, key.clone(), results.key(Some(key), input), item));
                    None
                }
            });
        }
        let done = AtomicUsize::new(total - waiting.len());
        let one = |(at, key, checkpoint, item)| {
            let stage = stage.clone();
            let request = ask(&item);
            let (this, done, read, known) = (&self, &done, &read, &*known);
            async move |place: Place| {
                let places = Some(Arc::clone(place.semaphore()));
                let caller =
                    Caller { stage, item: Some(key), sample: 0, starts_item: true, places };
                let judge = |received: Received<'_>, rejected_before: u32| {
                    let replayed = matches!(received, Received::Answer(answer) if answer.replayed);
                    let outcome = match received {
                        Received::Answer(answer) => read(&item, answer).map(Item::Answered),
                        Received::Nothing(why) => Err(why),
                    };
                    let last = rejected_before.saturating_add(1) >= running.spec.max_attempts;
                    let result_of = |item: &Item<T>| {
                        let bytes = crate::stored::to_json(item)?;
                        let done = done.fetch_add(1, Ordering::Relaxed) + 1;
                        let progress = Some(this.progress(&caller.stage, done, total));
                        Ok::<_, JobError>(ResultOf {
                            key: checkpoint,
                            bytes,
                            progress,
                            place: Some(place),
                        })
                    };
                    Ok(match outcome {
                        Ok(item) => {
                            let result = result_of(&item)?;
                            Judged::Usable(item, Some(result))
                        }
                        Err(why) if last || replayed => {
                            let result = result_of(&given_up(&why))?;
                            Judged::Rejected(why, Some(result))
                        }
                        Err(why) => Judged::Rejected(why, None),
                    })
                };
                let call = running.call(&caller, &request, known, judge);
                match within(running.config.stage_for, &caller.stage, call).await? {
                    Called::Answered(value) => Ok((at, value)),
                    Called::GivenUp(why) => Ok((at, given_up(&why))),
                }
            }
        };
        run_all(running, self.concurrency, waiting.into_iter().map(one), |(at, value)| {
            values[at] = Some(value);
        })
        .await?;
        Ok(values.into_iter().flatten().collect())
    }
}

fn given_up<T>(why: &Rejected) -> Item<T> {
    Item::GivenUp { code: why.code.clone(), message: why.message.clone() }
}
