//! How a job stands: the rows of `runs` and `outcomes`.

use std::time::Duration;

use crate::values::Row;
use koinon_budget::{Amounts, Balance, Limits, NanoUsd};
use koinon_domain::{
    Attempt, CommitNo, ErrorCode, EventSeq, Failed, Progress, QueueName, StageName, State, TenantId,
};
use koinon_store::{Artifact, Error, Lease, Manifest, Run, Streaks, Warned};

use super::columns::Columns;
use super::document::{self, ArtifactDocument};
use super::job::priority;
use super::number::{int, micros};
use crate::statement::Query;

/// Adds the arguments of a new run.
pub(crate) fn bind_run(query: Query, run: &Run) -> Query {
    bind_lease(bind_standing(bind_fixed(query, run), run), run)
}

/// Adds the arguments of a run that changes.
pub(crate) fn bind_run_update(query: Query, run: &Run) -> Query {
    bind_lease(bind_standing(query, run), run).bind(run.job.as_uuid())
}

/// Adds the arguments of a run whose claim goes on as it was.
pub(crate) fn bind_checkpointed(query: Query, run: &Run) -> Query {
    bind_progress(bind_marks(query, run), run)
        .bind(run.lease.map(|lease| lease.counted_to.as_micros()))
        .bind(run.job.as_uuid())
}

/// Adds the arguments of a run that starts.
pub(crate) fn bind_start(query: Query, run: &Run) -> Query {
    bind_checkpointed(query.bind(run.state.as_str()), run)
}

/// Adds the arguments of a run whose claim begins or is renewed.
pub(crate) fn bind_step(query: Query, run: &Run) -> Query {
    bind_steps(query, run).bind(run.job.as_uuid())
}

/// Adds the arguments of a run whose claim goes on and spends.
pub(crate) fn bind_paid(query: Query, run: &Run) -> Query {
    let query = bind_amounts(bind_steps(query, run), run.balance.spent);
    bind_amounts(query, run.balance.reserved)
        .bind(run.balance.items)
        .bind(i64::from(run.open_holds))
        .bind(run.job.as_uuid())
}

/// Adds the arguments of a run that ends.
pub(crate) fn bind_end(query: Query, run: &Run) -> Query {
    let query = query.bind(run.state.as_str());
    let query = bind_failed(bind_progress(bind_pace(query, run), run), run);
    bind_results(query, run).bind(run.job.as_uuid())
}

fn bind_steps(query: Query, run: &Run) -> Query {
    let query = query.bind(run.state.as_str()).bind(run.generation.get());
    bind_lease(bind_progress(bind_pace(query, run), run), run)
}

/// What every step of a claim changes. An end takes the same, in the order of the columns.
fn bind_pace(query: Query, run: &Run) -> Query {
    bind_marks(query.bind(i64::from(run.attempt.get())), run)
}

/// How far a claim has come.
fn bind_marks(query: Query, run: &Run) -> Query {
    query
        .bind(i64::from(run.streaks.losses_without_checkpoint))
        .bind(run.streaks.checkpointed)
        .bind(run.event_seq.get())
        .bind(run.last_commit.map(|(generation, _)| generation.get()))
        .bind(run.last_commit.map(|(_, no)| no.get()))
        .bind(micros(run.balance.run_for))
}

fn bind_progress(query: Query, run: &Run) -> Query {
    let progress = run.progress.as_ref();
    query
        .bind(progress.map(|progress| progress.stage.to_string()))
        .bind(progress.map(|progress| int(progress.done)))
        .bind(progress.map(|progress| int(progress.total)))
        .bind(progress.map(|progress| progress.unit.clone()))
}

fn bind_failed(query: Query, run: &Run) -> Query {
    let failed = run.failed.as_ref();
    query
        .bind(failed.map(|failed| failed.code.to_string()))
        .bind(failed.map(|failed| failed.summary.to_string()))
}

/// Adds the arguments of a new outcome.
pub(crate) fn bind_outcome(query: Query, run: &Run) -> Query {
    bind_results(bind_standing(bind_fixed(query, run), run), run)
}

fn bind_results(query: Query, run: &Run) -> Query {
    let manifest = run.manifest.as_ref();
    let artifacts = manifest.map(|manifest| {
        let artifacts = manifest.artifacts.iter().map(ArtifactDocument::from);
        document::text(&artifacts.collect::<Vec<_>>())
    });
    query
        .bind(artifacts)
        .bind(manifest.map(|manifest| manifest.summary.clone()))
        .bind(run.ended_at.map(koinon_domain::Timestamp::as_micros))
}

fn bind_fixed(query: Query, run: &Run) -> Query {
    query
        .bind(run.job.as_uuid())
        .bind(run.tenant.to_string())
        .bind(run.queue.to_string())
        .bind(i64::from(run.priority.get()))
        .bind(i64::from(run.max_attempts))
}

fn bind_standing(query: Query, run: &Run) -> Query {
    let (limits, balance) = (&run.limits, &run.balance);
    let query = query
        .bind(run.state.as_str())
        .bind(run.generation.get())
        .bind(i64::from(run.attempt.get()))
        .bind(run.ready_at.as_micros())
        .bind(i64::from(run.streaks.lease_losses))
        .bind(i64::from(run.streaks.losses_without_checkpoint))
        .bind(i64::from(run.streaks.interruptions))
        .bind(run.streaks.checkpointed)
        .bind(run.event_seq.get())
        .bind(run.last_commit.map(|(generation, _)| generation.get()))
        .bind(run.last_commit.map(|(_, no)| no.get()))
        .bind(limits.cost.map(NanoUsd::get))
        .bind(limits.calls.map(i64::from))
        .bind(limits.input_tokens.map(int))
        .bind(limits.output_tokens.map(int))
        .bind(limits.run_for.map(micros))
        .bind(limits.items.map(i64::from));
    let query = bind_amounts(query, balance.spent);
    let query = bind_amounts(query, balance.reserved);
    let query = bind_amounts(query, balance.in_doubt);
    let query = query
        .bind(micros(balance.run_for))
        .bind(balance.items)
        .bind(i64::from(run.open_holds))
        .bind(i64::from(run.warned.percent_80))
        .bind(i64::from(run.warned.percent_100));
    bind_failed(bind_progress(query, run), run)
        .bind(run.set_aside_at.map(koinon_domain::Timestamp::as_micros))
}

fn bind_amounts(query: Query, amounts: Amounts) -> Query {
    query
        .bind(amounts.cost.get())
        .bind(amounts.calls)
        .bind(amounts.input_tokens)
        .bind(amounts.output_tokens)
}

fn bind_lease(query: Query, run: &Run) -> Query {
    query
        .bind(run.lease.map(|lease| lease.owner.as_uuid()))
        .bind(run.lease.map(|lease| lease.expires_at.as_micros()))
        .bind(run.lease.map(|lease| lease.counted_to.as_micros()))
}

/// A row of `runs` or `standings`.
pub(crate) fn run(row: &Row) -> Result<Run, Error> {
    let row = Columns::new(row, "the run");
    let state: State = row.text("state", str::parse)?;
    let ended = state.is_terminal();
    Ok(Run {
        job: row.job()?,
        tenant: row.text("tenant", TenantId::try_new)?,
        queue: row.text("queue", QueueName::try_new)?,
        priority: priority(&row)?,
        state,
        generation: row.generation("generation")?,
        attempt: Attempt::new(row.number("attempt")?),
        max_attempts: row.number("max_attempts")?,
        ready_at: row.instant("ready_at")?,
        lease: lease(&row)?,
        streaks: streaks(&row)?,
        event_seq: EventSeq::new(row.get("event_seq")?),
        last_commit: last_commit(&row)?,
        limits: limits(&row)?,
        balance: balance(&row)?,
        open_holds: row.number("open_holds")?,
        warned: Warned {
            percent_80: row.number("told_80_percent")?,
            percent_100: row.number("told_100_percent")?,
        },
        progress: progress(&row)?,
        failed: failed(&row)?,
        set_aside_at: row.some_instant("set_aside_at")?,
        manifest: if ended { manifest(&row)? } else { None },
        ended_at: if ended { row.some_instant("ended_at")? } else { None },
    })
}

fn lease(row: &Columns<'_>) -> Result<Option<Lease>, Error> {
    let Some(owner) = row.some_worker("lease_owner")? else { return Ok(None) };
    let expires_at = row.instant("lease_expires_at")?;
    Ok(Some(Lease { owner, expires_at, counted_to: row.instant("lease_counted_to")? }))
}

fn streaks(row: &Columns<'_>) -> Result<Streaks, Error> {
    Ok(Streaks {
        lease_losses: row.number("lease_losses")?,
        losses_without_checkpoint: row.number("losses_without_checkpoint")?,
        interruptions: row.number("interruptions")?,
        checkpointed: row.get("checkpointed")?,
    })
}

fn last_commit(row: &Columns<'_>) -> Result<Option<(koinon_domain::Generation, CommitNo)>, Error> {
    let Some(no) = row.get::<Option<i64>>("commit_no")? else { return Ok(None) };
    Ok(Some((row.generation("commit_generation")?, CommitNo::new(no))))
}

fn limits(row: &Columns<'_>) -> Result<Limits, Error> {
    Ok(Limits {
        cost: row.get::<Option<i64>>("limit_cost_nano_usd")?.map(NanoUsd::new),
        calls: row.some_number("limit_calls")?,
        input_tokens: row.some_number("limit_input_tokens")?,
        output_tokens: row.some_number("limit_output_tokens")?,
        run_for: row.some_number("limit_run_for_us")?.map(Duration::from_micros),
        items: row.some_number("limit_items")?,
    })
}

fn balance(row: &Columns<'_>) -> Result<Balance, Error> {
    Ok(Balance {
        spent: Amounts {
            cost: NanoUsd::new(row.get("spent_cost_nano_usd")?),
            calls: row.get("spent_calls")?,
            input_tokens: row.get("spent_input_tokens")?,
            output_tokens: row.get("spent_output_tokens")?,
        },
        reserved: Amounts {
            cost: NanoUsd::new(row.get("reserved_cost_nano_usd")?),
            calls: row.get("reserved_calls")?,
            input_tokens: row.get("reserved_input_tokens")?,
            output_tokens: row.get("reserved_output_tokens")?,
        },
        in_doubt: Amounts {
            cost: NanoUsd::new(row.get("in_doubt_cost_nano_usd")?),
            calls: row.get("in_doubt_calls")?,
            input_tokens: row.get("in_doubt_input_tokens")?,
            output_tokens: row.get("in_doubt_output_tokens")?,
        },
        run_for: row.time("run_for_us")?,
        items: row.get("items")?,
    })
}

fn progress(row: &Columns<'_>) -> Result<Option<Progress>, Error> {
    let Some(stage) = row.some_text("progress_stage", StageName::try_new)? else {
        return Ok(None);
    };
    Ok(Some(Progress {
        stage,
        done: row.number("progress_done")?,
        total: row.number("progress_total")?,
        unit: row.get("progress_unit")?,
    }))
}

fn failed(row: &Columns<'_>) -> Result<Option<Failed>, Error> {
    let Some(code) = row.get::<Option<&str>>("error_code")? else { return Ok(None) };
    Ok(Some(Failed::new(ErrorCode::foreign(code), row.get("error_summary")?)))
}

fn manifest(row: &Columns<'_>) -> Result<Option<Manifest>, Error> {
    let documents: Option<Vec<ArtifactDocument>> = row.some_document("manifest")?;
    let Some(documents) = documents else { return Ok(None) };
    let artifacts: Result<_, _> = documents.into_iter().map(Artifact::try_from).collect();
    let artifacts = row.made("manifest", artifacts)?;
    Ok(Some(Manifest { artifacts, summary: row.get("summary")? }))
}
