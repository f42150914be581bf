//! From answers to rows: what is kept, and what is put aside with its reason.

use koinon_domain::ErrorCode;
use koinon_runner::{Item, JobContext, JobError};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::VERSION;
use super::generate::Generated;
use crate::dataset::input::Input;
use crate::dataset::plan::Plan;
use crate::dataset::quarantine::{Quarantined, Sifted};
use crate::dataset::row::{Candidate, Grounded, Scored};
use crate::dataset::{dedup, quality, validate};

/// The rows, and everything that did not become one.
pub(super) struct Checked {
    pub(super) rows: Vec<Scored>,
    pub(super) quarantined: Vec<Quarantined>,
}

/// Runs the stages `validate`, `quality` and `dedup`.
pub(super) async fn check(
    job: &JobContext,
    input: &Input,
    plan: &Plan,
    generated: Vec<Item<Generated>>,
) -> Result<Checked, JobError> {
    let (candidates, mut quarantined) = candidates(plan, generated);
    let grounded: Sifted<Grounded> = sift(job, "validate", &candidates, validate::validate).await?;
    quarantined.extend(grounded.quarantined);
    let scored: Sifted<Scored> = sift(job, "quality", &grounded.kept, quality::quality).await?;
    quarantined.extend(scored.quarantined);
    let mix = &input.settings.mix;
    let unique = sift(job, "dedup", &scored.kept, |rows| dedup::dedup(rows, mix)).await?;
    quarantined.extend(unique.quarantined);
    Ok(Checked { rows: unique.kept, quarantined })
}

/// One stage that keeps some of what it is given and puts the rest aside.
async fn sift<I, T>(
    job: &JobContext,
    stage: &'static str,
    rows: &Vec<I>,
    work: impl FnOnce(Vec<I>) -> Sifted<T>,
) -> Result<Sifted<T>, JobError>
where
    I: Clone + Serialize,
    T: Serialize + DeserializeOwned,
{
    job.stage(stage)
        .version(VERSION)
        .once(rows, |_| std::future::ready(Ok(work(rows.clone()))))
        .await
}

/// The items that were answered; and those that were given up, put aside as `invalid_output`.
fn candidates(plan: &Plan, generated: Vec<Item<Generated>>) -> (Vec<Candidate>, Vec<Quarantined>) {
    let mut candidates = Vec::with_capacity(generated.len());
    let mut quarantined = Vec::new();
    for (item, generated) in plan.items.iter().zip(generated) {
        match generated {
            Item::Answered(Generated { draft, call }) => {
                candidates.push(Candidate { item: item.clone(), draft, call });
            }
            Item::GivenUp { code, message } => {
                let message = format!("{code}: {message}");
                let reason = ErrorCode::INVALID_OUTPUT;
                quarantined.push(Quarantined::unanswered(item, None, reason.as_str(), &message));
            }
        }
    }
    (candidates, quarantined)
}
