//! How a job stands: the rows of `runs` and `outcomes`.

use std::time::Duration;

use koinon_budget::{Amounts, Balance, Limits, NanoUsd};
use koinon_domain::{
    Attempt, CommitNo, ErrorCode, EventSeq, Failed, Progress, QueueName, StageName, State, TenantId,
};

use super::document::ArtifactDocument;
use super::job::priority;
use super::{Columns, Fields};
use crate::{Artifact, Error, Lease, Manifest, Run, Streaks, Warned};

/// A row of `runs` or `standings`.
///
/// # Errors
///
/// [`Error::Corrupt`].
pub fn run<F: Fields>(row: &F) -> Result<Run, Error> {
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

fn lease<F: Fields>(row: &Columns<'_, F>) -> Result<Option<Lease>, Error> {
    let Some(owner) = row.some_worker("lease_owner")? else { return Ok(None) };
    let expires_at = row.instant("lease_expires_at")?;
    Ok(Some(Lease { owner, expires_at, counted_to: row.instant("lease_counted_to")? }))
}

fn streaks<F: Fields>(row: &Columns<'_, F>) -> Result<Streaks, Error> {
    Ok(Streaks {
        lease_losses: row.number("lease_losses")?,
        losses_without_checkpoint: row.number("losses_without_checkpoint")?,
        interruptions: row.number("interruptions")?,
        checkpointed: row.get("checkpointed")?,
    })
}

fn last_commit<F: Fields>(
    row: &Columns<'_, F>,
) -> Result<Option<(koinon_domain::Generation, CommitNo)>, Error> {
    let Some(no) = row.get::<Option<i64>>("commit_no")? else { return Ok(None) };
    Ok(Some((row.generation("commit_generation")?, CommitNo::new(no))))
}

fn limits<F: Fields>(row: &Columns<'_, F>) -> Result<Limits, Error> {
    Ok(Limits {
        cost: row.get::<Option<i64>>("limit_cost_nano_usd")?.map(NanoUsd::new),
        calls: row.some_number("limit_calls")?,
        input_tokens: row.some_number("limit_input_tokens")?,
        output_tokens: row.some_number("limit_output_tokens")?,
        run_for: row.some_number("limit_run_for_us")?.map(Duration::from_micros),
        items: row.some_number("limit_items")?,
    })
}

fn balance<F: Fields>(row: &Columns<'_, F>) -> Result<Balance, Error> {
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

fn progress<F: Fields>(row: &Columns<'_, F>) -> Result<Option<Progress>, Error> {
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

fn failed<F: Fields>(row: &Columns<'_, F>) -> Result<Option<Failed>, Error> {
    let Some(code) = row.get::<Option<&str>>("error_code")? else { return Ok(None) };
    Ok(Some(Failed::new(ErrorCode::foreign(code), row.get("error_summary")?)))
}

fn manifest<F: Fields>(row: &Columns<'_, F>) -> Result<Option<Manifest>, Error> {
    let documents: Option<Vec<ArtifactDocument>> = row.some_document("manifest")?;
    let Some(documents) = documents else { return Ok(None) };
    let artifacts: Result<_, _> = documents.into_iter().map(Artifact::try_from).collect();
    let artifacts = row.made("manifest", artifacts)?;
    Ok(Some(Manifest { artifacts, summary: row.get("summary")? }))
}
