//! `koinon ledger settle|release`: what a call whose outcome was unknown turned out to be.

use koinon::budget::NanoUsd;
use koinon::domain::{ErrorCode, HoldId};
use koinon::store::{Outcome, ReconcileAnswer, ReconcileRequest};
use serde::Serialize;

use crate::command::Context;
use crate::exit::Exit;
use crate::fault::Fault;
use crate::open::Open;
use crate::view;

#[derive(Serialize)]
struct Reconciled {
    hold: String,
    job_id: String,
    cost_usd: String,
}

pub(crate) async fn reconcile(
    context: &Context,
    hold: HoldId,
    outcome: Outcome,
) -> Result<Exit, Fault> {
    let cost = match &outcome {
        Outcome::Charged { cost, .. } => cost.cost,
        Outcome::Nothing => NanoUsd::ZERO,
    };
    let koinon = Open::new(context).open().await?;
    let request = ReconcileRequest { tenant: koinon.tenant().clone(), hold, outcome };
    let answer = koinon.ledger().reconcile(request).await?;
    koinon.close().await;
    let job = match answer {
        ReconcileAnswer::Reconciled(job) => job,
        ReconcileAnswer::NotInDoubt => {
            let summary =
                format!("hold {hold} is not in doubt: its call is under way or has ended");
            return Err(Fault::new(ErrorCode::HOLD_NOT_IN_DOUBT, summary)
                .help("`koinon ledger in-doubt` lists those that are"));
        }
        ReconcileAnswer::NotFound => {
            return Err(Fault::not_found(format!("there is no hold {hold}"))
                .help("`koinon ledger in-doubt` lists those that are in doubt"));
        }
    };
    let reconciled =
        Reconciled { hold: hold.to_string(), job_id: job.to_string(), cost_usd: cost.to_string() };
    context.console.show(&reconciled, |done| {
        format!("hold {} is reconciled at {}", done.hold, view::usd(&done.cost_usd))
    })?;
    Ok(Exit::Succeeded)
}
