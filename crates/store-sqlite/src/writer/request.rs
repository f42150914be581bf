//! What the writer can be asked.

use koinon_budget::Profile;
use koinon_domain::{Generation, JobId};
use koinon_store::{
    Added, Beat, ClaimRequest, Commit, ControlAnswer, Error, Fenced, FiredAll, HeartbeatRequest,
    HoldOutcome, NewSchedule, Pruned, ReconcileAnswer, ReconcileRequest, RecoverRequest, Recovered,
    Schedule, Signal, Stored, Submission, Submitted,
};

use super::Call;
use crate::error::Failure;
use crate::tx::Tx;
use crate::write::{
    self, GiveBack, Named, Prune, QueueChange, Steer, SteerSchedule, Taken, Turn, WorkerNews,
};

pub(crate) type SubmitCall = Call<Vec<Submission>, Vec<Submitted>>;
pub(crate) type CommitCall = Call<Commit, Fenced<Signal>>;

/// One write verb each.
#[derive(Debug)]
pub(crate) enum Request {
    Submit(SubmitCall),
    Claim(Call<ClaimRequest, Vec<Taken>>),
    Heartbeat(Call<HeartbeatRequest, Vec<(JobId, Generation, Beat)>>),
    Commit(CommitCall),
    Recover(Call<RecoverRequest, Recovered>),
    Control(Call<Steer, ControlAnswer>),
    GiveBack(Call<GiveBack, ()>),
    Reconcile(Call<ReconcileRequest, ReconcileAnswer>),
    KeepProfile(Call<Profile, ()>),
    Queue(Call<QueueChange, bool>),
    Worker(Call<WorkerNews, ()>),
    AddSchedule(Call<NewSchedule, Added>),
    ControlSchedule(Call<SteerSchedule, Option<Schedule>>),
    RemoveSchedule(Call<Named, bool>),
    FireSchedules(Call<u32, FiredAll>),
    PruneJobs(Call<Prune, Pruned>),
    TakeTurn(Call<Turn, bool>),
}

impl Request {
    /// Runs the verb in the transaction and keeps its answer.
    pub(crate) fn run(&mut self, tx: &mut Tx<'_>) -> Result<(), Failure> {
        let before = tx.writes();
        match self {
            Self::Submit(call) => write::submit(tx, &mut [call]),
            Self::Commit(call) => write::commit(tx, &mut [call]),
            Self::Claim(call) => {
                let answer = write::claim(tx, call.request());
                call.settle(before, tx, answer)
            }
            Self::Heartbeat(call) => {
                let answer = write::heartbeat(tx, call.request());
                call.settle(before, tx, answer)
            }
            Self::Recover(call) => {
                let answer = write::recover(tx, call.request());
                call.settle(before, tx, answer)
            }
            Self::Control(call) => {
                let answer = write::control(tx, call.request());
                call.settle(before, tx, answer)
            }
            Self::GiveBack(call) => {
                let answer = write::give_back(tx, call.request());
                call.settle(before, tx, answer)
            }
            Self::Reconcile(call) => {
                let answer = write::reconcile(tx, call.request());
                call.settle(before, tx, answer)
            }
            Self::KeepProfile(call) => {
                let answer = write::keep_profile(tx, call.request());
                call.settle(before, tx, answer)
            }
            Self::Queue(call) => {
                let answer = write::change_queue(tx, call.request());
                call.settle(before, tx, answer)
            }
            Self::Worker(call) => {
                let answer = write::note_worker(tx, call.request());
                call.settle(before, tx, answer)
            }
            Self::AddSchedule(call) => {
                let answer = write::add_schedule(tx, call.request());
                call.settle(before, tx, answer)
            }
            Self::ControlSchedule(call) => {
                let answer = write::control_schedule(tx, call.request());
                call.settle(before, tx, answer)
            }
            Self::RemoveSchedule(call) => {
                let answer = write::remove_schedule(tx, call.request());
                call.settle(before, tx, answer)
            }
            Self::FireSchedules(call) => {
                let answer = write::fire_schedules(tx, call.request());
                call.settle(before, tx, answer)
            }
            Self::PruneJobs(call) => {
                let answer = write::prune_jobs(tx, call.request());
                call.settle(before, tx, answer)
            }
            Self::TakeTurn(call) => {
                let answer = write::take_turn(tx, call.request());
                call.settle(before, tx, answer)
            }
        }
    }

    /// About how many bytes it writes.
    pub(crate) fn size(&self) -> usize {
        match self {
            Self::Submit(call) => call.request().iter().map(|one| one.job.payload.len()).sum(),
            Self::Commit(call) => stored(call.request()).map(inline).sum(),
            Self::Claim(_)
            | Self::Heartbeat(_)
            | Self::Recover(_)
            | Self::Control(_)
            | Self::GiveBack(_)
            | Self::Reconcile(_)
            | Self::KeepProfile(_)
            | Self::Queue(_)
            | Self::Worker(_)
            | Self::AddSchedule(_)
            | Self::ControlSchedule(_)
            | Self::RemoveSchedule(_)
            | Self::FireSchedules(_)
            | Self::PruneJobs(_)
            | Self::TakeTurn(_) => 0,
        }
    }

    /// Sends the answer.
    pub(crate) fn reply(self) {
        match self {
            Self::Submit(call) => call.reply(),
            Self::Claim(call) => call.reply(),
            Self::Heartbeat(call) => call.reply(),
            Self::Commit(call) => call.reply(),
            Self::Recover(call) => call.reply(),
            Self::Control(call) => call.reply(),
            Self::GiveBack(call) => call.reply(),
            Self::Reconcile(call) => call.reply(),
            Self::KeepProfile(call) => call.reply(),
            Self::Queue(call) => call.reply(),
            Self::Worker(call) => call.reply(),
            Self::AddSchedule(call) => call.reply(),
            Self::ControlSchedule(call) => call.reply(),
            Self::RemoveSchedule(call) => call.reply(),
            Self::FireSchedules(call) => call.reply(),
            Self::PruneJobs(call) => call.reply(),
            Self::TakeTurn(call) => call.reply(),
        }
    }

    /// Sends an error.
    pub(crate) fn fail(self, error: Error) {
        match self {
            Self::Submit(call) => call.fail(error),
            Self::Claim(call) => call.fail(error),
            Self::Heartbeat(call) => call.fail(error),
            Self::Commit(call) => call.fail(error),
            Self::Recover(call) => call.fail(error),
            Self::Control(call) => call.fail(error),
            Self::GiveBack(call) => call.fail(error),
            Self::Reconcile(call) => call.fail(error),
            Self::KeepProfile(call) => call.fail(error),
            Self::Queue(call) => call.fail(error),
            Self::Worker(call) => call.fail(error),
            Self::AddSchedule(call) => call.fail(error),
            Self::ControlSchedule(call) => call.fail(error),
            Self::RemoveSchedule(call) => call.fail(error),
            Self::FireSchedules(call) => call.fail(error),
            Self::PruneJobs(call) => call.fail(error),
            Self::TakeTurn(call) => call.fail(error),
        }
    }
}

/// The results and answers that a commit brings.
fn stored(commit: &Commit) -> impl Iterator<Item = &Stored> {
    let results = commit.checkpoints.iter().map(|checkpoint| &checkpoint.result);
    let answers = commit.hold_ends.iter().filter_map(|end| match &end.outcome {
        HoldOutcome::Settled { answer, .. } => answer.as_ref(),
        HoldOutcome::Released { .. } | HoldOutcome::InDoubt => None,
    });
    results.chain(answers)
}

const fn inline(stored: &Stored) -> usize {
    match stored {
        Stored::Inline(bytes) => bytes.len(),
        Stored::Blob { .. } => 0,
    }
}
