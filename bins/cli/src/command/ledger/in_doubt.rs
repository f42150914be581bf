//! `koinon ledger in-doubt`: the calls whose outcome is unknown.

use koinon::store::InDoubt;
use serde::Serialize;

use crate::command::Context;
use crate::exit::Exit;
use crate::fault::Fault;
use crate::job_ref::JobRef;
use crate::open::Open;
use crate::view;

/// So many are listed at the most.
const LIMIT: u32 = 10_000;

#[derive(Serialize)]
struct HoldsView {
    holds: Vec<HoldView>,
}

#[derive(Serialize)]
struct HoldView {
    hold: String,
    job_id: String,
    stage: String,
    item: Option<String>,
    call: String,
    /// What the provider's own log knows the request by.
    idempotency_key: String,
    held_usd: String,
    provider: String,
    model: String,
    generation: i64,
}

pub(crate) async fn in_doubt(context: &Context, job: Option<JobRef>) -> Result<Exit, Fault> {
    let koinon = Open::new(context).open().await?;
    let job = match job {
        Some(job) => Some(job.find(&koinon).await?.spec.id),
        None => None,
    };
    let holds = koinon.ledger().in_doubt(koinon.tenant(), job, LIMIT).await?;
    koinon.close().await;
    let holds = HoldsView { holds: holds.into_iter().map(HoldView::of).collect() };
    context.console.show(&holds, |view| {
        if view.holds.is_empty() {
            return "no call is in doubt".to_owned();
        }
        let header = ["hold", "job", "stage", "item", "USD", "model", "idempotency key"];
        view::table(header, view.holds.iter().map(HoldView::row))
    })?;
    Ok(Exit::Succeeded)
}

impl HoldView {
    fn of(InDoubt { job, hold }: InDoubt) -> Self {
        let idempotency_key = hold.call.idempotency_key(job).to_string();
        Self {
            hold: hold.id.to_string(),
            job_id: job.to_string(),
            stage: hold.call.stage.to_string(),
            item: hold.call.item.map(|item| item.to_string()),
            call: hold.call.call.to_string(),
            idempotency_key,
            held_usd: hold.held.cost.to_string(),
            provider: hold.priced.provider,
            model: hold.priced.model,
            generation: hold.generation.get(),
        }
    }

    fn row(&self) -> [String; 7] {
        [
            self.hold.clone(),
            self.job_id.clone(),
            self.stage.clone(),
            self.item.clone().unwrap_or_default(),
            self.held_usd.clone(),
            format!("{}/{}", self.provider, self.model),
            self.idempotency_key.clone(),
        ]
    }
}
