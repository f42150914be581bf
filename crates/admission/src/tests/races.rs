//! Random cancellation on several threads: the seed of a failing run is in the failure's text.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use rand::rngs::StdRng;
use rand::{Rng as _, SeedableRng as _};
use tokio::task::{JoinSet, yield_now};

use super::bulkhead;
use crate::{Bulkhead, Permit};

const TASKS: u64 = 16;
const ROUNDS: usize = 300;

/// Waits for a permit through `patience` turns of the scheduler, then drops the waiting future.
async fn acquire_within(bulkhead: &Bulkhead, patience: usize) -> Option<Permit> {
    let lost_patience = async {
        for _ in 0..patience {
            yield_now().await;
        }
    };
    tokio::select! {
        biased;
        () = lost_patience => None,
        permit = bulkhead.acquire() => permit.ok(),
    }
}

async fn contend(bulkhead: Bulkhead, active: Arc<AtomicUsize>, capacity: usize, seed: u64) {
    let mut random = StdRng::seed_from_u64(seed);
    for _ in 0..ROUNDS {
        let permit = match random.random_range(0..4) {
            0 => bulkhead.try_acquire(),
            1 => bulkhead.acquire().await.ok(),
            _ => acquire_within(&bulkhead, random.random_range(0..6)).await,
        };
        let Some(permit) = permit else { continue };
        let before = active.fetch_add(1, Ordering::SeqCst);
        assert!(before < capacity, "seed {seed}: {before} roots were active already");
        if random.random() {
            yield_now().await;
        }
        active.fetch_sub(1, Ordering::SeqCst);
        drop(permit);
    }
}

fn contenders(bulkhead: &Bulkhead, active: &Arc<AtomicUsize>, capacity: usize) -> JoinSet<()> {
    (0..TASKS).map(|seed| contend(bulkhead.clone(), Arc::clone(active), capacity, seed)).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn no_permit_is_lost_under_random_cancellation() {
    for (places, capacity) in [(1, 1), (2, 2), (3, 3)] {
        let bulkhead = bulkhead(places);
        let mut tasks = contenders(&bulkhead, &Arc::default(), capacity);
        while let Some(task) = tasks.join_next().await {
            task.unwrap();
        }
        assert_eq!(bulkhead.available(), capacity);
        bulkhead.drained().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn once_drained_after_the_close_no_root_runs_and_every_permit_is_back() {
    for round in 0..50 {
        let bulkhead = bulkhead(2);
        let active = Arc::default();
        let mut tasks = contenders(&bulkhead, &active, 2);
        for _ in 0..round {
            yield_now().await;
        }

        bulkhead.close();
        bulkhead.drained().await;

        assert_eq!(active.load(Ordering::SeqCst), 0, "round {round}");
        assert!(bulkhead.try_acquire().is_none());
        while let Some(task) = tasks.join_next().await {
            task.unwrap();
        }
        assert_eq!(active.load(Ordering::SeqCst), 0, "round {round}");
        assert_eq!(bulkhead.available(), 2, "round {round}");
    }
}
