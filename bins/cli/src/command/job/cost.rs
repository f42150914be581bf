//! `koinon job cost`: what a job's calls cost.

use koinon::Koinon;
use koinon::domain::JobId;
use koinon::store::Entry;
use serde::Serialize;

use crate::command::Context;
use crate::exit::Exit;
use crate::fault::Fault;
use crate::instant;
use crate::job_ref::JobRef;
use crate::open::Open;
use crate::view::{self, Lines};

const PAGE: u32 = 500;

#[derive(Serialize)]
struct CostView {
    job_id: String,
    spent_usd: String,
    reserved_usd: String,
    in_doubt_usd: String,
    entries: Vec<EntryView>,
}

#[derive(Serialize)]
struct EntryView {
    kind: &'static str,
    stage: String,
    item: Option<String>,
    call: String,
    idempotency_key: String,
    hold: String,
    cost_usd: String,
    profile: Option<String>,
    generation: i64,
    at: String,
    provider: String,
    model: String,
    input_tokens: Option<u64>,
    cached_input_tokens: Option<u64>,
    output_tokens: Option<u64>,
    estimated: bool,
}

pub(crate) async fn cost(context: &Context, job: &JobRef) -> Result<Exit, Fault> {
    let koinon = Open::new(context).open().await?;
    // The entries come first, so that the sums are never behind them.
    let id = job.find(&koinon).await?.spec.id;
    let entries = entries(&koinon, id).await?.into_iter().map(EntryView::of).collect();
    let balance = JobRef::Id(id).find(&koinon).await?.run.balance;
    koinon.close().await;
    let view = CostView {
        job_id: id.to_string(),
        spent_usd: balance.spent.cost.to_string(),
        reserved_usd: balance.reserved.cost.to_string(),
        in_doubt_usd: balance.in_doubt.cost.to_string(),
        entries,
    };
    context.console.show(&view, text)?;
    Ok(Exit::Succeeded)
}

async fn entries(koinon: &Koinon, job: JobId) -> Result<Vec<Entry>, Fault> {
    let mut entries: Vec<Entry> = Vec::new();
    loop {
        let skip = entries.len() as u64;
        let page = koinon.ledger().entries(koinon.tenant(), job, skip, PAGE).await?;
        if page.is_empty() {
            return Ok(entries);
        }
        entries.extend(page);
    }
}

impl EntryView {
    fn of(entry: Entry) -> Self {
        let usage = entry.usage;
        let idempotency_key = entry.call.idempotency_key(entry.job).to_string();
        Self {
            kind: entry.kind.as_str(),
            stage: entry.call.stage.to_string(),
            item: entry.call.item.map(|item| item.to_string()),
            call: entry.call.call.to_string(),
            idempotency_key,
            hold: entry.hold.to_string(),
            cost_usd: entry.amounts.cost.to_string(),
            profile: entry.priced.profile.map(|profile| profile.to_string()),
            generation: entry.generation.get(),
            at: instant::exact(entry.at),
            provider: entry.priced.provider,
            model: entry.priced.model,
            input_tokens: usage.map(|usage| usage.input_tokens),
            cached_input_tokens: usage.map(|usage| usage.cached_input_tokens),
            output_tokens: usage.map(|usage| usage.output_tokens),
            estimated: entry.estimated,
        }
    }

    fn row(&self) -> [String; 7] {
        [
            self.kind.to_owned(),
            self.stage.clone(),
            self.item.clone().unwrap_or_default(),
            self.hold.clone(),
            self.cost_usd.clone(),
            self.profile.clone().unwrap_or_default(),
            self.generation.to_string(),
        ]
    }
}

fn text(cost: &CostView) -> String {
    let mut lines = Lines::default();
    lines.add("job", &cost.job_id);
    lines.add("spent", view::usd(&cost.spent_usd));
    lines.add("reserved", view::usd(&cost.reserved_usd));
    lines.add("in doubt", view::usd(&cost.in_doubt_usd));
    if cost.entries.is_empty() {
        return format!("{lines}there are no entries\n");
    }
    let header = ["entry", "stage", "item", "hold", "USD", "profile", "gen"];
    format!("{lines}\n{}", view::table(header, cost.entries.iter().map(EntryView::row)))
}
