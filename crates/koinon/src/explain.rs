//! Why a job is not running: everything that could hold it back, and whether it does.

use std::time::Duration;

use koinon_budget::{Axis, NanoUsd};
use koinon_domain::{ErrorCode, JobId, State, Timestamp, WorkerId};
use koinon_store::{JobStatus, PeekRequest, Run, Running, RunningLimits, SeenWorker};

use crate::queues::{Datasource, Queue};
use crate::settings::Settings;
use crate::{Error, Koinon};

/// A worker that was seen within this time counts as there.
const SEEN_WITHIN: Duration = Duration::from_mins(1);

/// How a job stands, and what holds it back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Explanation {
    /// The job.
    pub job: JobStatus,
    /// Everything that it has to pass, always in the same order.
    pub gates: Vec<Gate>,
}

/// One thing that a job has to pass before it runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gate {
    /// Which one: `state`, `set_aside`, `not_before`, `queue`, `running_limit`, `budget`, `worker` or
    /// `datasource`.
    pub name: &'static str,
    /// Whether it keeps the job from running.
    pub holds_back: bool,
    /// What is known of it.
    pub value: String,
}

impl Explanation {
    /// What keeps the job from running, the first thing first. Empty for one that runs, and for one that the
    /// next free worker takes.
    pub fn reasons(&self) -> impl Iterator<Item = &Gate> {
        self.gates.iter().filter(|gate| gate.holds_back)
    }
}

impl Koinon {
    /// Explains why a job of this tenant is not running, in whichever database it is. `None` if there is no
    /// such job.
    ///
    /// # Errors
    ///
    /// [`Error::Store`] if the database of the job fails, or if none that answers has it and another does not
    /// answer.
    pub async fn explain(&self, job: JobId) -> Result<Option<Explanation>, Error> {
        let Some((job, here, database)) = self.find(job).await? else { return Ok(None) };
        let run = &job.run;
        let owner = WorkerId::from_uuid(self.clock().uuid());
        let peek = PeekRequest { owner, queues: Vec::new() };
        let now = database.leases.peek(&peek).await?.now;
        let asked = [(run.queue.clone(), RunningLimits::NONE)];
        let queues = database.queues.backlog(&asked).await?;
        let paused = queues.iter().find(|one| one.queue == run.queue);
        let running = database.queues.running(&run.queue).await?;
        let workers = database.workers.workers(SEEN_WITHIN).await?;
        let settled = Queue::of(run.queue.clone(), self.settings());
        let gates = vec![
            state(run),
            set_aside(run, now),
            not_before(run, now),
            queue(run, paused.and_then(|one| one.paused_at), now),
            running_limit(run, settled.limits, &running),
            budget(run),
            worker(&job, &workers),
            datasource(run, settled.datasource, here, self.settings()),
        ];
        Ok(Some(Explanation { job, gates }))
    }
}

fn state(run: &Run) -> Gate {
    let reason = run.failed.as_ref().map(|failed| format!(", {}: {}", failed.code, failed.summary));
    let (holds_back, more) = match run.state {
        State::Queued => (false, ", it waits to be claimed".to_owned()),
        State::RetryWait => (true, reason.unwrap_or_default()),
        State::Leased | State::Running => {
            let holder = run.lease.map(|lease| format!(" by worker {}", lease.owner));
            (false, holder.unwrap_or_default())
        }
        State::Pausing | State::Cancelling => {
            (true, ", what is under way is finished first".into())
        }
        State::Paused => (true, reason.unwrap_or_else(|| ", by request".to_owned())),
        State::Succeeded | State::Cancelled => (true, ", it has ended".to_owned()),
        State::Failed => (true, reason.unwrap_or_default()),
    };
    Gate { name: "state", holds_back, value: format!("{}{more}", run.state) }
}

fn set_aside(run: &Run, now: Timestamp) -> Gate {
    let value = match run.set_aside_at {
        None => "no".to_owned(),
        Some(at) => format!(
            "for {}: its row could not be read, its events say why; a retry frees it",
            shown(now.since(at))
        ),
    };
    Gate { name: "set_aside", holds_back: run.set_aside_at.is_some(), value }
}

fn not_before(run: &Run, now: Timestamp) -> Gate {
    let waits = is_waiting(run) && run.ready_at > now;
    let value = if waits {
        format!("it is ready in {}", shown(run.ready_at.since(now)))
    } else if run.state == State::Queued {
        format!("it has been ready for {}", shown(now.since(run.ready_at)))
    } else {
        "it waits for no instant".to_owned()
    };
    Gate { name: "not_before", holds_back: waits, value }
}

fn queue(run: &Run, paused_at: Option<Timestamp>, now: Timestamp) -> Gate {
    let value = match paused_at {
        None => format!("{} is not paused", run.queue),
        Some(at) => format!("{} has been paused for {}", run.queue, shown(now.since(at))),
    };
    // What runs already is not held back.
    let holds_back = paused_at.is_some() && !run.state.is_held() && !run.state.is_terminal();
    Gate { name: "queue", holds_back, value }
}

/// What runs, beside the limits of this program's settings.
fn running_limit(run: &Run, limits: RunningLimits, running: &Running) -> Gate {
    let of_queue = limits.running.map(|limit| format!("{} of {limit} run", running.total()));
    let of_tenant = limits.per_tenant.map(|limit| {
        format!("{} of {limit} of tenant {} run", running.of(&run.tenant), run.tenant)
    });
    let known: Vec<_> = of_queue.into_iter().chain(of_tenant).collect();
    let value = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
    let holds_back = is_waiting(run) && !limits.admit(running, &run.tenant);
    Gate { name: "running_limit", holds_back, value }
}

const fn is_waiting(run: &Run) -> bool {
    matches!(run.state, State::Queued | State::RetryWait)
}

fn budget(run: &Run) -> Gate {
    let is_exhausted =
        run.failed.as_ref().is_some_and(|failed| failed.code == ErrorCode::BUDGET_EXHAUSTED);
    let used = Axis::ALL.into_iter().filter_map(|axis| {
        let limit = run.limits.on(axis)?;
        let balance = &run.balance;
        let held = balance.reserved.on(axis).saturating_add(balance.in_doubt.on(axis));
        let used = balance.spent_on(axis).saturating_add(held);
        Some(match axis {
            Axis::Cost => {
                format!("cost {} of {} USD", NanoUsd::new(used), NanoUsd::new(limit))
            }
            Axis::RunFor => {
                let time = |micros: i64| shown(Duration::from_micros(micros.unsigned_abs()));
                format!("run time {} of {}", time(used), time(limit))
            }
            axis => format!("{} {used} of {limit}", axis.as_str()),
        })
    });
    let used: Vec<_> = used.collect();
    let value = if used.is_empty() { "no limit".to_owned() } else { used.join(", ") };
    Gate { name: "budget", holds_back: is_exhausted && !run.state.is_terminal(), value }
}

fn worker(job: &JobStatus, workers: &[SeenWorker]) -> Gate {
    let (kind, queue) = (job.spec.kind.as_str(), &job.run.queue);
    let able: Vec<_> = workers.iter().filter(|worker| worker.takes(kind, queue)).collect();
    let places: u32 = able.iter().map(|worker| worker.card.capacity).sum();
    let value = match able.len() {
        0 => format!("none that runs {kind} from {queue} was seen in the last minute"),
        count => format!("{count} seen in the last minute, with {places} places for {kind}"),
    };
    Gate { name: "worker", holds_back: able.is_empty() && is_waiting(&job.run), value }
}

/// The database that the job is in, and has told all of this, beside the one in which workers look for jobs
/// of its queue.
fn datasource(run: &Run, wanted: Datasource, here: Datasource, settings: &Settings) -> Gate {
    let name = "datasource";
    if wanted.url(settings) == here.url(settings) {
        return Gate { name, holds_back: false, value: format!("{wanted} answers") };
    }
    let queue = &run.queue;
    let value = format!(
        "the job is in {here}, and workers with these settings look for {queue} in {wanted} alone"
    );
    Gate { name, holds_back: is_waiting(run), value }
}

/// A length of time for people, to the second.
fn shown(time: Duration) -> String {
    format!("{} s", time.as_secs())
}
