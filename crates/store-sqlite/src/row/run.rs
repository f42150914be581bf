//! How a job stands: the rows of `runs` and `outcomes`.

use koinon_budget::{Amounts, NanoUsd};
use koinon_store::Run;
use koinon_store::row::{artifacts, int, micros};

use crate::statement::Query;

/// Adds the arguments of a new run.
pub(crate) fn bind_run<'a>(query: Query<'a>, run: &'a Run) -> Query<'a> {
    bind_lease(bind_standing(bind_fixed(query, run), run), run)
}

/// Adds the arguments of a run that changes.
pub(crate) fn bind_run_update<'a>(query: Query<'a>, run: &'a Run) -> Query<'a> {
    bind_lease(bind_standing(query, run), run).bind(run.job.as_uuid())
}

/// Adds the arguments of a run whose claim goes on as it was.
pub(crate) fn bind_checkpointed<'a>(query: Query<'a>, run: &'a Run) -> Query<'a> {
    bind_progress(bind_marks(query, run), run)
        .bind(run.lease.map(|lease| lease.counted_to.as_micros()))
        .bind(run.job.as_uuid())
}

/// Adds the arguments of a run that starts.
pub(crate) fn bind_start<'a>(query: Query<'a>, run: &'a Run) -> Query<'a> {
    bind_checkpointed(query.bind(run.state.as_str()), run)
}

/// Adds the arguments of a run whose claim begins or is renewed.
pub(crate) fn bind_step<'a>(query: Query<'a>, run: &'a Run) -> Query<'a> {
    bind_steps(query, run).bind(run.job.as_uuid())
}

/// Adds the arguments of a run whose claim goes on and spends.
pub(crate) fn bind_paid<'a>(query: Query<'a>, run: &'a Run) -> Query<'a> {
    let query = bind_amounts(bind_steps(query, run), run.balance.spent);
    bind_amounts(query, run.balance.reserved)
        .bind(run.balance.items)
        .bind(i64::from(run.open_holds))
        .bind(run.job.as_uuid())
}

/// Adds the arguments of a run that ends.
pub(crate) fn bind_end<'a>(query: Query<'a>, run: &'a Run) -> Query<'a> {
    let query = query.bind(run.state.as_str());
    let query = bind_failed(bind_progress(bind_pace(query, run), run), run);
    bind_results(query, run).bind(run.job.as_uuid())
}

fn bind_steps<'a>(query: Query<'a>, run: &'a Run) -> Query<'a> {
    let query = query.bind(run.state.as_str()).bind(run.generation.get());
    bind_lease(bind_progress(bind_pace(query, run), run), run)
}

/// What every step of a claim changes. An end takes the same, in the order of the columns.
fn bind_pace<'a>(query: Query<'a>, run: &'a Run) -> Query<'a> {
    bind_marks(query.bind(i64::from(run.attempt.get())), run)
}

/// How far a claim has come.
fn bind_marks<'a>(query: Query<'a>, run: &'a Run) -> Query<'a> {
    query
        .bind(i64::from(run.streaks.losses_without_checkpoint))
        .bind(run.streaks.checkpointed)
        .bind(run.event_seq.get())
        .bind(run.last_commit.map(|(generation, _)| generation.get()))
        .bind(run.last_commit.map(|(_, no)| no.get()))
        .bind(micros(run.balance.run_for))
}

fn bind_progress<'a>(query: Query<'a>, run: &'a Run) -> Query<'a> {
    let progress = run.progress.as_ref();
    query
        .bind(progress.map(|progress| progress.stage.as_str()))
        .bind(progress.map(|progress| int(progress.done)))
        .bind(progress.map(|progress| int(progress.total)))
        .bind(progress.map(|progress| progress.unit.as_str()))
}

fn bind_failed<'a>(query: Query<'a>, run: &'a Run) -> Query<'a> {
    let failed = run.failed.as_ref();
    query
        .bind(failed.map(|failed| failed.code.as_str()))
        .bind(failed.map(|failed| failed.summary.as_str()))
}

/// Adds the arguments of a new outcome.
pub(crate) fn bind_outcome<'a>(query: Query<'a>, run: &'a Run) -> Query<'a> {
    bind_results(bind_standing(bind_fixed(query, run), run), run)
}

fn bind_results<'a>(query: Query<'a>, run: &'a Run) -> Query<'a> {
    let manifest = run.manifest.as_ref();
    query
        .bind(manifest.map(artifacts))
        .bind(manifest.map(|manifest| manifest.summary.as_slice()))
        .bind(run.ended_at.map(koinon_domain::Timestamp::as_micros))
}

fn bind_fixed<'a>(query: Query<'a>, run: &'a Run) -> Query<'a> {
    query
        .bind(run.job.as_uuid())
        .bind(run.tenant.as_str())
        .bind(run.queue.as_str())
        .bind(i64::from(run.priority.get()))
        .bind(i64::from(run.max_attempts))
}

fn bind_standing<'a>(query: Query<'a>, run: &'a Run) -> Query<'a> {
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

fn bind_amounts<'a>(query: Query<'a>, amounts: Amounts) -> Query<'a> {
    query
        .bind(amounts.cost.get())
        .bind(amounts.calls)
        .bind(amounts.input_tokens)
        .bind(amounts.output_tokens)
}

fn bind_lease<'a>(query: Query<'a>, run: &'a Run) -> Query<'a> {
    query
        .bind(run.lease.map(|lease| lease.owner.as_uuid()))
        .bind(run.lease.map(|lease| lease.expires_at.as_micros()))
        .bind(run.lease.map(|lease| lease.counted_to.as_micros()))
}
