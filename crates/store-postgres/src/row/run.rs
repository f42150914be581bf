//! How a job stands: the rows of `runs` and `outcomes`.

use std::time::Duration;

use koinon_budget::{Amounts, Balance, Limits, NanoUsd};
use koinon_domain::{
    Attempt, CommitNo, ErrorCode, EventSeq, Failed, Progress, QueueName, StageName, State, TenantId,
};
use koinon_store::{Artifact, Error, Lease, Manifest, Run, Streaks, Warned};
use sqlx::postgres::PgRow;

use super::columns::Columns;
use super::document::{self, ArtifactDocument};
use super::each::each;
use super::instant::Instant;
use super::job::priority;
use super::number::{int, micros};
use crate::tx::Query;

/// Which version of its row a run was read as: the transaction that wrote it, which every change replaces.
pub(crate) type RowVersion = String;

/// Adds the columns of new runs.
pub(crate) fn bind_runs<'q>(query: Query<'q>, rows: &'q [Run]) -> Query<'q> {
    bind_leases(bind_standings(bind_fixed(query, rows), rows), rows)
}

/// Adds the columns of runs that change.
pub(crate) fn bind_run_updates<'q>(query: Query<'q>, rows: &'q [Run]) -> Query<'q> {
    let query = each(query, rows, |run| run.job.as_uuid());
    bind_leases(bind_standings(query, rows), rows)
}

/// Adds the columns of runs whose claims begin or go on.
pub(crate) fn bind_steps<'q>(query: Query<'q>, rows: &'q [Run]) -> Query<'q> {
    let query = each(query, rows, |run| run.job.as_uuid());
    let query = each(query, rows, |run| run.state.as_str());
    let query = each(query, rows, |run| run.generation.get());
    bind_leases(bind_progress(bind_pace(query, rows), rows), rows)
}

/// Adds the columns of runs whose claims go on and spend.
pub(crate) fn bind_paid<'q>(query: Query<'q>, rows: &'q [Run]) -> Query<'q> {
    let query = bind_steps(query, rows);
    let query = bind_amounts(query, rows, |run| run.balance.spent);
    let query = bind_amounts(query, rows, |run| run.balance.reserved);
    let query = each(query, rows, |run| run.balance.items);
    each(query, rows, |run| i64::from(run.open_holds))
}

/// Adds the columns of runs that end.
pub(crate) fn bind_ends<'q>(query: Query<'q>, rows: &'q [Run]) -> Query<'q> {
    let query = each(query, rows, |run| run.job.as_uuid());
    let query = each(query, rows, |run| run.state.as_str());
    let query = bind_progress(bind_pace(query, rows), rows);
    bind_results(bind_failed(query, rows), rows)
}

/// Adds the columns of new outcomes.
pub(crate) fn bind_outcomes<'q>(query: Query<'q>, rows: &'q [Run]) -> Query<'q> {
    bind_results(bind_standings(bind_fixed(query, rows), rows), rows)
}

fn bind_results<'q>(query: Query<'q>, rows: &'q [Run]) -> Query<'q> {
    let query = each(query, rows, |run| {
        run.manifest.as_ref().map(|manifest| {
            let artifacts = manifest.artifacts.iter().map(ArtifactDocument::from);
            document::text(&artifacts.collect::<Vec<_>>())
        })
    });
    let query = each(query, rows, |run| run.manifest.as_ref().map(|one| one.summary.as_slice()));
    each(query, rows, |run| run.ended_at.map(Instant))
}

fn bind_fixed<'q>(query: Query<'q>, rows: &'q [Run]) -> Query<'q> {
    let query = each(query, rows, |run| run.job.as_uuid());
    let query = each(query, rows, |run| run.tenant.as_str());
    let query = each(query, rows, |run| run.queue.as_str());
    let query = each(query, rows, |run| i64::from(run.priority.get()));
    each(query, rows, |run| i64::from(run.max_attempts))
}

fn bind_standings<'q>(query: Query<'q>, rows: &'q [Run]) -> Query<'q> {
    let query = each(query, rows, |run| run.state.as_str());
    let query = each(query, rows, |run| run.generation.get());
    let query = each(query, rows, |run| i64::from(run.attempt.get()));
    let query = each(query, rows, |run| Instant(run.ready_at));
    let query = each(query, rows, |run| i64::from(run.streaks.lease_losses));
    let query = each(query, rows, |run| i64::from(run.streaks.losses_without_checkpoint));
    let query = each(query, rows, |run| i64::from(run.streaks.interruptions));
    let query = each(query, rows, |run| run.streaks.checkpointed);
    let query = each(query, rows, |run| run.event_seq.get());
    let query = each(query, rows, |run| run.last_commit.map(|(generation, _)| generation.get()));
    let query = each(query, rows, |run| run.last_commit.map(|(_, no)| no.get()));
    let query = bind_limits(query, rows, |run| run.limits);
    let query = bind_amounts(query, rows, |run| run.balance.spent);
    let query = bind_amounts(query, rows, |run| run.balance.reserved);
    let query = bind_amounts(query, rows, |run| run.balance.in_doubt);
    let query = each(query, rows, |run| micros(run.balance.run_for));
    let query = each(query, rows, |run| run.balance.items);
    let query = each(query, rows, |run| i64::from(run.open_holds));
    let query = each(query, rows, |run| i64::from(run.warned.percent_80));
    let query = each(query, rows, |run| i64::from(run.warned.percent_100));
    let query = bind_failed(bind_progress(query, rows), rows);
    each(query, rows, |run| run.set_aside_at.map(Instant))
}

/// What every step of a claim changes.
fn bind_pace<'q>(query: Query<'q>, rows: &'q [Run]) -> Query<'q> {
    let query = each(query, rows, |run| i64::from(run.attempt.get()));
    let query = each(query, rows, |run| i64::from(run.streaks.losses_without_checkpoint));
    let query = each(query, rows, |run| run.streaks.checkpointed);
    let query = each(query, rows, |run| run.event_seq.get());
    let query = each(query, rows, |run| run.last_commit.map(|(generation, _)| generation.get()));
    let query = each(query, rows, |run| run.last_commit.map(|(_, no)| no.get()));
    each(query, rows, |run| micros(run.balance.run_for))
}

fn bind_progress<'q>(query: Query<'q>, rows: &'q [Run]) -> Query<'q> {
    let query = each(query, rows, |run| run.progress.as_ref().map(|one| one.stage.as_str()));
    let query = each(query, rows, |run| run.progress.as_ref().map(|one| int(one.done)));
    let query = each(query, rows, |run| run.progress.as_ref().map(|one| int(one.total)));
    each(query, rows, |run| run.progress.as_ref().map(|one| one.unit.as_str()))
}

fn bind_failed<'q>(query: Query<'q>, rows: &'q [Run]) -> Query<'q> {
    let query = each(query, rows, |run| run.failed.as_ref().map(|one| one.code.to_string()));
    each(query, rows, |run| run.failed.as_ref().map(|one| one.summary.to_string()))
}

pub(super) fn bind_limits<'q, R>(
    query: Query<'q>,
    rows: &'q [R],
    of: impl Fn(&R) -> Limits,
) -> Query<'q> {
    let query = each(query, rows, |row| of(row).cost.map(NanoUsd::get));
    let query = each(query, rows, |row| of(row).calls.map(i64::from));
    let query = each(query, rows, |row| of(row).input_tokens.map(int));
    let query = each(query, rows, |row| of(row).output_tokens.map(int));
    let query = each(query, rows, |row| of(row).run_for.map(micros));
    each(query, rows, |row| of(row).items.map(i64::from))
}

fn bind_amounts<'q>(query: Query<'q>, rows: &'q [Run], of: impl Fn(&Run) -> Amounts) -> Query<'q> {
    let query = each(query, rows, |run| of(run).cost.get());
    let query = each(query, rows, |run| of(run).calls);
    let query = each(query, rows, |run| of(run).input_tokens);
    each(query, rows, |run| of(run).output_tokens)
}

fn bind_leases<'q>(query: Query<'q>, rows: &'q [Run]) -> Query<'q> {
    let query = each(query, rows, |run| run.lease.map(|lease| lease.owner.as_uuid()));
    let query = each(query, rows, |run| run.lease.map(|lease| Instant(lease.expires_at)));
    each(query, rows, |run| run.lease.map(|lease| Instant(lease.counted_to)))
}

/// A row of `runs` or `standings`.
pub(crate) fn run(row: &PgRow) -> Result<Run, Error> {
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
