//! A turn whose run is over, and the claim that takes it over while the end is being written.

use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use koinon_admission::{Bulkhead, Limits, Refused, Root};
use koinon_domain::{Control, JobId, QueueName, State};
use koinon_kit::{Fault, FaultStore, ModelStore, PausedClock, Stores, Verb, job};
use koinon_runner::{JobContext, JobError, Lane, Until, Worker, Workload};
use koinon_store::{ControlRequest, RunningLimits};

use crate::bench::{Asks, Bench};

/// How long a job takes: longer than the time between two looks at the store.
const WAITS: Duration = Duration::from_secs(3);
/// How long the first end takes to be written.
const SLOW: Duration = Duration::from_secs(20);

/// Waits, and keeps its root.
#[derive(Debug, Clone, Default)]
struct Waits {
    roots: Arc<Mutex<Vec<(u64, Root)>>>,
}

#[async_trait]
impl Workload for Waits {
    const KIND: &'static str = "waits";
    const STAGES: &'static [&'static str] = &[];
    type Input = u64;
    type Output = ();

    async fn run(&self, job: &JobContext, number: u64) -> Result<(), JobError> {
        self.roots.lock().unwrap().push((number, job.root()));
        tokio::time::sleep(WAITS).await;
        Ok(())
    }
}

impl Waits {
    fn began(&self) -> Vec<u64> {
        self.roots.lock().unwrap().iter().map(|one| one.0).collect()
    }
}

/// A bench on which the end of the first job is written slowly: its first commit, because it starts with its claim.
fn bench(waits: &Waits) -> Bench {
    ends_slowly(1, waits.clone()).1
}

/// A bench on which the end of the first job, so manieth of its commits, is written slowly.
fn ends_slowly(end: u64, workload: impl Workload) -> (Arc<FaultStore>, Bench) {
    let clock = Arc::new(PausedClock::new());
    let model = Stores::of(Arc::new(ModelStore::new(Arc::<PausedClock>::clone(&clock))));
    let faults = Arc::new(FaultStore::new(model));
    faults.fail(Verb::Commit, end, Fault::Slow(SLOW));
    let bench = Bench::on(clock, Stores::of(Arc::clone(&faults)), workload);
    (faults, bench)
}

fn queue(name: &str) -> QueueName {
    QueueName::try_new(name).unwrap()
}

async fn submit(bench: &Bench, queue: &str, number: u64) -> JobId {
    let job = job().kind("waits").queue(queue).payload(number.to_string());
    bench.stores.jobs.submit(vec![job.build(&*bench.clock)]).await.unwrap()[0].job()
}

fn start(bench: &Bench, lanes: Vec<Lane>) -> Worker {
    let one = Bulkhead::new(Limits::try_new(1, 64, Duration::from_secs(300)).unwrap());
    Worker::start(bench.services.clone(), bench.config, one, lanes)
}

async fn state(bench: &Bench, job: JobId) -> (State, u32) {
    let run = bench.status(job).await.run;
    (run.state, run.attempt.get())
}

/// Dispatches, and looks at what is while the end of the first job is being written.
async fn while_it_ends(worker: &Worker, look: impl Future<Output = ()>) {
    let looking = async {
        tokio::time::sleep(SLOW / 2).await;
        look.await;
    };
    let (dispatched, ()) = tokio::join!(worker.dispatch(Until::Idle), looking);
    dispatched.unwrap();
}

#[tokio::test(start_paused = true)]
async fn the_next_job_is_claimed_at_once_and_begins_when_the_end_is_written() {
    let waits = Waits::default();
    let bench = bench(&waits);
    let (_, second) = (submit(&bench, "q", 0).await, submit(&bench, "q", 1).await);
    let worker = start(&bench, vec![queue("q").into()]);
    while_it_ends(&worker, async {
        assert_eq!(state(&bench, second).await.0, State::Leased);
        assert_eq!(waits.began(), [0], "there is one permit");
    })
    .await;
    worker.drain().await;
    assert_eq!(state(&bench, second).await, (State::Succeeded, 1));
    assert_eq!(bench.status(second).await.run.generation.get(), 1, "it kept its claim");
    assert_eq!(waits.began(), [0, 1]);
}

#[tokio::test(start_paused = true)]
async fn a_job_that_waited_for_its_turn_starts_with_its_first_commit() {
    // A hold, the settlement, the second stage, the end.
    let (faults, bench) = ends_slowly(4, Asks::new(1, 1));
    let (_, second) = (bench.submit(job()).await, bench.submit(job()).await);
    let worker = start(&bench, vec![queue("asks").into()]);
    while_it_ends(&worker, async {
        assert_eq!(bench.events(second).await, ["submitted", "claimed"]);
    })
    .await;
    worker.drain().await;
    assert_eq!(bench.events(second).await[..3], ["submitted", "claimed", "started"]);
    assert_eq!(faults.calls_of(Verb::Commit), 4 + 4);
}

#[tokio::test(start_paused = true)]
async fn a_job_that_waited_for_its_turn_and_writes_nothing_yet_is_seen_to_run_at_once() {
    let waits = Waits::default();
    let bench = bench(&waits);
    let (_, second) = (submit(&bench, "q", 0).await, submit(&bench, "q", 1).await);
    let worker = start(&bench, vec![queue("q").into()]);
    let looking = async {
        while waits.began() != [0, 1] {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        tokio::time::sleep(Duration::from_millis(1)).await;
        assert_eq!(state(&bench, second).await.0, State::Running);
    };
    let (dispatched, ()) = tokio::join!(worker.dispatch(Until::Idle), looking);
    dispatched.unwrap();
    worker.drain().await;
}

#[tokio::test(start_paused = true)]
async fn a_start_that_is_refused_ends_the_run() {
    let waits = Waits::default();
    let (faults, bench) = ends_slowly(1, waits.clone());
    let (_, second) = (submit(&bench, "q", 0).await, submit(&bench, "q", 1).await);
    let worker = start(&bench, vec![queue("q").into()]);
    // The start is sent again after a while, and the job was cancelled before that.
    faults.fail(Verb::Commit, 2, Fault::Before);
    let cancelling = async {
        tokio::time::sleep(WAITS + SLOW + Duration::from_millis(20)).await;
        assert_eq!(waits.began(), [0, 1]);
        let cancel = ControlRequest::State(Control::Cancel);
        bench.stores.jobs.control(&bench.tenant(), second, cancel).await.unwrap();
        tokio::time::sleep(WAITS / 2).await;
        assert_eq!(state(&bench, second).await.0, State::Cancelled);
    };
    let (dispatched, ()) = tokio::join!(worker.dispatch(Until::Idle), cancelling);
    dispatched.unwrap();
    worker.drain().await;
    assert!(!bench.events(second).await.contains(&"started".to_owned()));
}

#[tokio::test(start_paused = true)]
async fn what_the_first_root_began_is_refused_in_the_turn_of_the_second() {
    let waits = Waits::default();
    let bench = bench(&waits);
    for number in 0..2 {
        submit(&bench, "q", number).await;
    }
    let worker = start(&bench, vec![queue("q").into()]);
    let looking = async {
        tokio::time::sleep(WAITS + SLOW + WAITS / 2).await;
        let roots = waits.roots.lock().unwrap().clone();
        let [(0, first), (1, second)] = &roots[..] else { panic!("the second runs: {roots:?}") };
        assert_eq!(first.reuse().unwrap_err(), Refused::RootEnded);
        drop(second.reuse().unwrap());
    };
    let (dispatched, ()) = tokio::join!(worker.dispatch(Until::Idle), looking);
    dispatched.unwrap();
    worker.drain().await;
}

#[tokio::test(start_paused = true)]
async fn who_stands_in_line_is_not_passed_by() {
    let waits = Waits::default();
    let bench = bench(&waits);
    // A lane that is full itself stands in no line.
    let own = Lane::new(queue("q"), NonZeroUsize::MIN);
    submit(&bench, "q", 0).await;
    let worker = start(&bench, vec![own, queue("other").into()]);
    let late = async {
        tokio::time::sleep(Duration::from_millis(100)).await;
        (submit(&bench, "q", 1).await, submit(&bench, "other", 2).await)
    };
    let looking = async {
        let (same, _) = late.await;
        tokio::time::sleep(SLOW / 2).await;
        assert_eq!(state(&bench, same).await, (State::Queued, 0));
    };
    let (dispatched, ()) = tokio::join!(worker.dispatch(Until::Idle), looking);
    dispatched.unwrap();
    worker.drain().await;
    assert_eq!(waits.began(), [0, 2, 1]);
}

#[tokio::test(start_paused = true)]
async fn a_queue_whose_jobs_are_counted_is_claimed_from_once_the_end_is_written() {
    let waits = Waits::default();
    let mut bench = bench(&waits);
    let limits = RunningLimits { running: Some(1), ..RunningLimits::NONE };
    bench.services.running_limits = Arc::new([(queue("q"), limits)].into());
    let (_, second) = (submit(&bench, "q", 0).await, submit(&bench, "q", 1).await);
    let worker = start(&bench, vec![queue("q").into()]);
    while_it_ends(&worker, async {
        assert_eq!(state(&bench, second).await, (State::Queued, 0));
    })
    .await;
    worker.drain().await;
    assert_eq!(waits.began(), [0, 1]);
}

#[tokio::test(start_paused = true)]
async fn a_job_that_waits_for_its_turn_is_handed_back_when_the_worker_stops() {
    let waits = Waits::default();
    let mut bench = bench(&waits);
    bench.config.drain_for = Duration::from_secs(1);
    let (first, second) = (submit(&bench, "q", 0).await, submit(&bench, "q", 1).await);
    let worker = start(&bench, vec![queue("q").into()]);
    while_it_ends(&worker, async {
        assert_eq!(state(&bench, second).await.0, State::Leased);
        worker.drain().await;
        assert_eq!(waits.began(), [0]);
    })
    .await;
    assert_eq!(state(&bench, first).await.0, State::Succeeded);
    assert_eq!(state(&bench, second).await, (State::Queued, 0));
    bench.check(second).await;
}
