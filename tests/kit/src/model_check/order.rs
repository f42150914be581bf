//! The orders in which verbs that were asked for at once may have happened.

use std::collections::{BTreeMap, BTreeSet};

use koinon_domain::JobId;
use koinon_store::Recovered;

use super::request::{Answer, Request, send};
use super::world::World;

/// What a verb sees of those that happen beside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Locking {
    /// Nothing: each has the whole store for itself.
    Whole,
    /// Each locks the rows that it may change. Claims and sweeps pass by what another verb has locked, also one that
    /// changes nothing in the end, and a sweep takes its two kinds of jobs one after the other.
    Rows,
}

/// A verb that was asked for.
#[derive(Debug)]
pub(super) struct Asked {
    pub(super) request: Request,
    /// `None` if the store failed as planned: it may have happened or not.
    pub(super) answer: Option<Answer>,
    /// The jobs that it is about, as far as whoever asks knows.
    pub(super) jobs: BTreeSet<JobId>,
}

/// How everything may stand after some verbs, in whatever order they happened.
pub(super) async fn after(worlds: Vec<World>, batch: &[Asked], locking: Locking) -> Vec<World> {
    let steps = steps(batch, locking);
    let all = (1 << steps.len()) - 1;
    // By which steps have happened, and which of them was the last one.
    let mut reached = BTreeMap::from([((0, None), worlds)]);
    let mut ends = Vec::new();
    while let Some(((done, last), worlds)) = reached.pop_first() {
        if done == all {
            worlds.into_iter().for_each(|world| world.add_to(&mut ends));
            continue;
        }
        for (index, step) in steps.iter().enumerate() {
            if done & (1 << index) != 0 || !step.may_follow(done, last.map(|last| &steps[last])) {
                continue;
            }
            for world in &worlds {
                let reached = reached.entry((done | (1 << index), Some(index))).or_default();
                step.add_outcomes(world, reached).await;
            }
        }
    }
    ends
}

/// What happens at one instant.
struct Step<'b> {
    index: usize,
    asked: &'b Asked,
    part: Part,
    /// The jobs that other verbs may have locked.
    locked: BTreeSet<JobId>,
}

/// What of its verb a step is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Whole,
    /// The half of a sweep that looks for waits that are over.
    Due,
    /// The half behind it, that looks for leases that have expired.
    Expired,
}

fn steps(batch: &[Asked], locking: Locking) -> Vec<Step<'_>> {
    let mut steps = Vec::new();
    for (place, asked) in batch.iter().enumerate() {
        let parts: &[Part] = match (&asked.request, locking) {
            (Request::Recover(_), Locking::Rows) => &[Part::Due, Part::Expired],
            _ => &[Part::Whole],
        };
        for part in parts {
            let locked = match locking {
                Locking::Whole => BTreeSet::new(),
                Locking::Rows => locked_beside(batch, place),
            };
            steps.push(Step { index: steps.len(), asked, part: *part, locked });
        }
    }
    steps
}

/// The jobs that the other verbs of a batch may have locked.
fn locked_beside(batch: &[Asked], place: usize) -> BTreeSet<JobId> {
    let others = batch.iter().enumerate().filter(|(other, _)| *other != place);
    let jobs = others.flat_map(|(_, other)| other.jobs.iter().copied().chain(other.answered()));
    let own = batch[place].answered();
    jobs.filter(|job| !own.contains(job)).collect()
}

impl Asked {
    /// The jobs that the answer is about.
    fn answered(&self) -> Vec<JobId> {
        match &self.answer {
            Some(Answer::Claimed(claimed)) => claimed.iter().map(|one| one.job).collect(),
            Some(Answer::Beats(beats)) => beats.iter().map(|(job, ..)| *job).collect(),
            Some(Answer::Recovered(recovered)) => {
                recovered.due.iter().chain(&recovered.expired).copied().collect()
            }
            _ => Vec::new(),
        }
    }

    /// The one job whose rows it reads and changes.
    fn only_job(&self) -> Option<JobId> {
        match &self.request {
            Request::Commit(_) | Request::Control(..) | Request::Reconcile(_) => {
                self.jobs.first().copied()
            }
            _ => None,
        }
    }
}

impl Step<'_> {
    /// Verbs of different jobs come to the same in both orders, so one of them is enough.
    fn may_follow(&self, done: usize, last: Option<&Self>) -> bool {
        if self.part == Part::Expired && done & (1 << (self.index - 1)) == 0 {
            return false;
        }
        let Some(last) = last.filter(|last| last.index > self.index) else { return true };
        match (self.asked.only_job(), last.asked.only_job()) {
            (Some(job), Some(other)) => job == other,
            _ => true,
        }
    }

    /// Adds how things stand after it, if it can come to the answer.
    async fn add_outcomes(&self, world: &World, outcomes: &mut Vec<World>) {
        for locked in subsets(self.locked_in(world)) {
            let after = world.fork();
            let answer = self.carry_out(&after, &locked).await;
            if self.asked.answer.as_ref().is_none_or(|given| answer == self.part.of(given)) {
                after.add_to(outcomes);
            }
        }
        if self.asked.answer.is_none() {
            world.clone().add_to(outcomes);
        }
    }

    /// What it may find locked.
    fn locked_in(&self, world: &World) -> Vec<JobId> {
        let found = match &self.asked.request {
            Request::Claim(request) => world.ready(request),
            Request::Recover(_) => world.to_recover(),
            _ => return Vec::new(),
        };
        found.into_iter().filter(|job| self.locked.contains(job)).collect()
    }

    async fn carry_out(&self, world: &World, locked: &BTreeSet<JobId>) -> Answer {
        match (&self.asked.request, self.part) {
            (Request::Claim(request), _) => world.claim(request, locked),
            (Request::Recover(request), Part::Due) => world.recover_due(request, locked),
            (Request::Recover(request), Part::Expired) => world.recover_expired(request, locked),
            (request, _) => send(&world.stores, request.clone()).await,
        }
    }
}

impl Part {
    /// The part of an answer that is its own.
    fn of(self, answer: &Answer) -> Answer {
        match (self, answer) {
            (Self::Due, Answer::Recovered(Recovered { due, .. })) => {
                Answer::Recovered(Recovered { due: due.clone(), ..Recovered::default() })
            }
            (Self::Expired, Answer::Recovered(recovered)) => {
                Answer::Recovered(Recovered { due: Vec::new(), ..recovered.clone() })
            }
            (_, answer) => answer.clone(),
        }
    }
}

fn subsets(jobs: Vec<JobId>) -> Vec<BTreeSet<JobId>> {
    let mut subsets = vec![BTreeSet::new()];
    for job in jobs {
        let with = subsets.clone().into_iter().map(|mut subset| {
            subset.insert(job);
            subset
        });
        subsets.extend(with.collect::<Vec<_>>());
    }
    subsets
}
