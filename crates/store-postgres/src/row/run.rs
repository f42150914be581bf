//! How a job stands: the rows of `runs` and `outcomes`.

use koinon_budget::{Amounts, Limits, NanoUsd};
use koinon_store::Run;
use koinon_store::row::{artifacts, int, micros};

use super::each::each;
use super::instant::Instant;
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
    let query = each(query, rows, |run| run.manifest.as_ref().map(artifacts));
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
