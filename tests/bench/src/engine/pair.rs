//! Floor and subject, in turn.

use super::cost::Cost;
use super::floor::Floor;
use super::report::{Costs, Report, Round};
use super::server::{Disk, Server};
use super::size::Size;
use super::subject::{self, Work};
use super::submit;

/// A row that compares the engine with bare statements.
#[derive(Debug)]
pub(super) struct Pair {
    pub(super) row: &'static str,
    floor: Floor,
    subject: Subject,
    disk: Disk,
}

/// What the engine does.
#[derive(Debug, Clone, Copy)]
enum Subject {
    /// It takes jobs in, so many with one call.
    Submit(usize),
    /// It runs jobs.
    Run(Work),
}

impl Pair {
    pub(super) const ALL: [Self; 8] = [
        Self::of("submit_one", Floor::Insert, Subject::Submit(1), Disk::AsItIs),
        Self::of("submit_1000", Floor::Insert, Subject::Submit(1_000), Disk::AsItIs),
        Self::of("noop", Floor::Claim2, Subject::Run(Work::Noop), Disk::AsItIs),
        Self::of("stages", Floor::Wf5, Subject::Run(Work::Stages), Disk::AsItIs),
        Self::of("paid", Floor::Paid, Subject::Run(Work::Paid), Disk::AsItIs),
        Self::of("noop_slow_commit", Floor::Claim2, Subject::Run(Work::Noop), Disk::Slow),
        Self::of("stages_slow_commit", Floor::Wf5, Subject::Run(Work::Stages), Disk::Slow),
        Self::of("paid_slow_commit", Floor::Paid, Subject::Run(Work::Paid), Disk::Slow),
    ];

    const fn of(row: &'static str, floor: Floor, subject: Subject, disk: Disk) -> Self {
        Self { row, floor, subject, disk }
    }

    /// Measures floor and subject in turn, each on a database of its own.
    pub(super) async fn measure(&self, server: &Server, size: Size) -> anyhow::Result<Report> {
        let mut rounds = Vec::new();
        let (mut floors, mut subjects) = (Cost::default(), Cost::default());
        for _ in 0..size.rounds() {
            let floor = server
                .scratch(self.disk, async |scratch| self.floor.measure(scratch, size).await)
                .await?;
            let subject = server
                .scratch(self.disk, async |scratch| match self.subject {
                    Subject::Submit(jobs) => submit::measure(scratch, jobs, size).await,
                    Subject::Run(work) => subject::measure(scratch, work, floor.per_s, size).await,
                })
                .await?;
            rounds.push(Round { value: subject.per_s, base: Some(floor.per_s) });
            floors += floor.cost;
            subjects += subject.cost;
        }
        let costs = Costs { subject: subjects.per_job(), floor: floors.per_job() };
        Ok(Report::of(self.row, rounds, Some(costs)))
    }
}
