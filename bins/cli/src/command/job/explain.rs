//! `koinon job explain`: why a job is not running.

use koinon::{Explanation, Gate};
use serde::Serialize;

use crate::command::Context;
use crate::exit::Exit;
use crate::fault::Fault;
use crate::job_ref::JobRef;
use crate::open::Open;
use crate::view;

#[derive(Serialize)]
struct ExplainView {
    job_id: String,
    kind: String,
    queue: String,
    state: &'static str,
    /// The names of the gates that hold the job back, the first one first.
    held_back_by: Vec<&'static str>,
    gates: Vec<GateView>,
}

#[derive(Serialize)]
struct GateView {
    gate: &'static str,
    holds_back: bool,
    value: String,
}

pub(crate) async fn explain(context: &Context, job: &JobRef) -> Result<Exit, Fault> {
    let koinon = Open::new(context).open().await?;
    let job = job.find_anywhere(&koinon).await?;
    let explained = koinon.explain(job).await;
    koinon.close().await;
    let explained = explained?.ok_or_else(|| Fault::not_found(format!("there is no job {job}")))?;
    context.console.show(&ExplainView::of(explained), text)?;
    Ok(Exit::Succeeded)
}

impl ExplainView {
    fn of(explained: Explanation) -> Self {
        let held_back_by = explained.reasons().map(|gate| gate.name).collect();
        let Explanation { job, gates } = explained;
        Self {
            job_id: job.spec.id.to_string(),
            kind: job.spec.kind.to_string(),
            queue: job.spec.queue.to_string(),
            state: job.run.state.as_str(),
            held_back_by,
            gates: gates.into_iter().map(GateView::of).collect(),
        }
    }
}

impl GateView {
    fn of(gate: Gate) -> Self {
        let Gate { name, holds_back, value } = gate;
        Self { gate: name, holds_back, value }
    }
}

fn text(view: &ExplainView) -> String {
    let head = if view.held_back_by.is_empty() {
        format!("job {} is {}, and nothing holds it back\n", view.job_id, view.state)
    } else {
        format!(
            "job {} is {}, held back by: {}\n",
            view.job_id,
            view.state,
            view.held_back_by.join(", ")
        )
    };
    let rows = view.gates.iter().map(|gate| {
        let verdict = if gate.holds_back { "holds back" } else { "open" };
        [gate.gate.to_owned(), verdict.to_owned(), gate.value.clone()]
    });
    head + &view::table(["gate", "verdict", "value"], rows)
}
