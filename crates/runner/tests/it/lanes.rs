//! Many queues, one bulkhead: who runs when, and what becomes of those who have to wait.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use koinon_admission::{Bulkhead, Limits};
use koinon_domain::{JobId, QueueName, State};
use koinon_kit::job;
use koinon_runner::{JobContext, JobError, Lane, Until, Worker, Workload};

use crate::bench::Bench;

/// Takes a while, and is counted meanwhile.
#[derive(Debug, Clone, Default)]
struct Waits {
    at_once: Arc<AtomicUsize>,
    most: Arc<AtomicUsize>,
    began: Arc<Mutex<Vec<(String, u64)>>>,
}

#[async_trait]
impl Workload for Waits {
    const KIND: &'static str = "waits";
    const STAGES: &'static [&'static str] = &[];
    /// The queue, the number of the job in it, and how many seconds it takes.
    type Input = (String, u64, u64);
    type Output = ();

    async fn run(&self, _: &JobContext, (queue, n, secs): Self::Input) -> Result<(), JobError> {
        let now = self.at_once.fetch_add(1, Ordering::SeqCst) + 1;
        self.most.fetch_max(now, Ordering::SeqCst);
        self.began.lock().unwrap().push((queue, n));
        tokio::time::sleep(Duration::from_secs(secs)).await;
        self.at_once.fetch_sub(1, Ordering::SeqCst);
        Ok(())
    }
}

fn bulkhead(capacity: u32) -> Bulkhead {
    Bulkhead::new(Limits::try_new(capacity, 64, Duration::from_secs(30)).unwrap())
}

fn queues(count: usize) -> Vec<QueueName> {
    (0..count).map(|n| QueueName::try_new(format!("q{n}")).unwrap()).collect()
}

async fn submit(bench: &Bench, queue: &QueueName, number: u64, secs: u64) -> JobId {
    let payload = serde_json::to_vec(&(queue.as_str(), number, secs)).unwrap();
    let submission = job().kind("waits").queue(queue.as_str()).payload(payload);
    let submission = submission.build(&*bench.clock);
    bench.stores.jobs.submit(vec![submission]).await.unwrap()[0].job()
}

/// Thirty jobs of a second each, in three queues.
async fn thirty(bench: &Bench, queues: &[QueueName]) {
    for number in 0..10 {
        for queue in queues {
            submit(bench, queue, number, 1).await;
        }
    }
}

fn start(bench: &Bench, bulkhead: Bulkhead, lanes: Vec<Lane>) -> Worker {
    Worker::start(bench.services.clone(), bench.config, bulkhead, lanes)
}

fn lanes(queues: &[QueueName]) -> Vec<Lane> {
    queues.iter().cloned().map(Lane::from).collect()
}

#[tokio::test(start_paused = true)]
async fn one_permit_runs_the_jobs_of_three_queues_one_at_a_time_and_in_turn() {
    let waits = Waits::default();
    let (bench, queues) = (Bench::new(waits.clone()), queues(3));
    thirty(&bench, &queues).await;

    let worker = start(&bench, bulkhead(1), lanes(&queues));
    worker.dispatch(Until::Idle).await.unwrap();
    worker.drain().await;

    assert_eq!(waits.most.load(Ordering::SeqCst), 1);
    let began = waits.began.lock().unwrap();
    for (round, three) in (0..).zip(began.chunks(3)) {
        let mut three = three.to_vec();
        three.sort();
        let names = queues.iter().map(|queue| queue.as_str().to_owned());
        assert_eq!(three, names.map(|name| (name, round)).collect::<Vec<_>>());
    }
    assert_eq!(began.len(), 30);
}

#[tokio::test(start_paused = true)]
async fn two_processes_run_two_at_once() {
    let waits = Waits::default();
    let (bench, queues) = (Bench::new(waits.clone()), queues(3));
    thirty(&bench, &queues).await;

    let workers = [(); 2].map(|()| start(&bench, bulkhead(1), lanes(&queues)));
    let [one, two] = &workers;
    let (first, second) = tokio::join!(one.dispatch(Until::Idle), two.dispatch(Until::Idle));
    first.and(second).unwrap();
    tokio::join!(one.drain(), two.drain());

    assert_eq!(waits.most.load(Ordering::SeqCst), 2);
    assert_eq!(waits.began.lock().unwrap().len(), 30);
}

#[tokio::test(start_paused = true)]
async fn who_finds_the_line_full_or_waits_too_long_leaves_the_job_in_its_queue() {
    let waits = Waits::default();
    let (bench, queues) = (Bench::new(waits.clone()), queues(66));
    let bulkhead = bulkhead(1);
    let worker = start(&bench, bulkhead.clone(), lanes(&queues));
    let long = submit(&bench, &queues[0], 0, 100).await;
    let working = async {
        worker.dispatch(Until::Stopped).await.unwrap();
    };
    let looking = async {
        tokio::time::sleep(Duration::from_secs(5)).await;
        assert_eq!(bench.status(long).await.run.state, State::Running);
        let mut jobs = Vec::new();
        for queue in &queues[1..] {
            jobs.push(submit(&bench, queue, 0, 1).await);
        }
        for at in [3, 40] {
            tokio::time::sleep(Duration::from_secs(at)).await;
            // One runs, and of the 65 others the last one is turned away.
            assert_eq!(bulkhead.waiting(), 64);
            for job in &jobs {
                let run = bench.status(*job).await.run;
                assert_eq!((run.state, run.attempt.get()), (State::Queued, 0));
                assert_eq!((run.generation.get(), run.lease), (0, None));
            }
        }
        tokio::time::sleep(Duration::from_secs(200)).await;
        for job in jobs {
            assert_eq!(bench.status(job).await.run.state, State::Succeeded);
        }
        worker.stop();
    };
    tokio::join!(working, looking);
    worker.drain().await;
    assert_eq!(waits.most.load(Ordering::SeqCst), 1);
}

#[tokio::test(start_paused = true)]
async fn a_queue_of_capacity_one_leaves_the_other_permits_to_others() {
    let waits = Waits::default();
    let (bench, queues) = (Bench::new(waits.clone()), queues(2));
    thirty(&bench, &queues).await;
    let one = Lane::new(queues[0].clone(), NonZeroUsize::MIN);

    let worker = start(&bench, bulkhead(4), vec![one, queues[1].clone().into()]);
    let begun = tokio::time::Instant::now();
    worker.dispatch(Until::Idle).await.unwrap();
    worker.drain().await;

    assert_eq!(waits.most.load(Ordering::SeqCst), 4);
    // Ten jobs of a second each, one after the other.
    assert!(begun.elapsed() >= Duration::from_secs(10));
    let began = waits.began.lock().unwrap();
    let numbers: Vec<_> =
        began.iter().filter(|(queue, _)| queue == "q0").map(|one| one.1).collect();
    assert_eq!(numbers, (0..10).collect::<Vec<_>>());
}
