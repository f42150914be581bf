//! What waits together is written together, and fails apart.

use std::collections::BTreeSet;
use std::sync::Arc;

use futures::future::join_all;
use koinon_budget::Limits;
use koinon_domain::JobId;
use koinon_kit::{Case, Held, LEASE, Stores, commit, job};
use koinon_store::{ControlAnswer, Error, Fenced, HeartbeatRequest};
use koinon_store_sqlite::{Options, SqliteStore};

use crate::clock::TickingClock;
use crate::harness::{OnSqlite, Place, run};

/// A case whose store has a clock that tells transactions apart.
struct OnTickingClock;

#[async_trait::async_trait]
impl koinon_kit::Harness for OnTickingClock {
    async fn open(&self, _: Arc<dyn koinon_store::Clock>) -> Stores {
        let place = Place::new();
        let clock = Arc::new(TickingClock::default());
        let store = SqliteStore::open(&place.url(), Options::default(), clock).await.unwrap();
        Stores::of(Arc::new(store)).keeping(place)
    }

    async fn damage(&self, stores: &Stores, job: JobId) {
        OnSqlite.damage(stores, job).await;
    }
}

async fn running(case: &Case, count: usize) -> Vec<Held> {
    let mut held = Vec::new();
    for _ in 0..count {
        held.push(case.running(job()).await);
    }
    held
}

#[tokio::test]
async fn commits_that_wait_together_share_transactions() {
    let case = Case::open(OnTickingClock).await;
    let held = running(&case, 40).await;
    join_all(held.iter().map(|held| case.applied(commit(held).checkpoint("a")))).await;
    let mut instants = BTreeSet::new();
    for held in &held {
        instants.insert(case.events(held.job).await.pop().unwrap().at);
    }
    assert!(instants.len() <= 10, "40 commits took {} transactions", instants.len());
}

/// Lets a change of a job and a checkpoint of it share a transaction, in this order, behind a write of another job.
async fn written_together(case: &Case, held: &Held, change: impl Future<Output = ()>) {
    let first = case.running(job()).await;
    case.applied(commit(held).checkpoint("before")).await;
    // The writer waits with the first one for the file, and finds the others when it has it.
    let mut other = case.stores.kept::<Place>().unwrap().raw().await;
    run(&mut other, "BEGIN IMMEDIATE").await.unwrap();
    let (_first, (), _second, ()) = tokio::join!(
        case.applied(commit(&first).checkpoint("first")),
        change,
        case.applied(commit(held).checkpoint("together")),
        async { run(&mut other, "ROLLBACK").await.map(drop).unwrap() },
    );
    let last = case.events(held.job).await.pop().unwrap();
    assert_eq!(
        case.run(held.job).await.event_seq,
        last.seq,
        "an older row was written over a newer one"
    );
    case.check().await;
}

#[tokio::test]
async fn a_checkpoint_keeps_what_a_heartbeat_wrote_before_it_and_stays_itself() {
    let case = Case::open(OnSqlite).await;
    let held = case.running(job()).await;
    let lease_for = 2 * LEASE;
    let beat = HeartbeatRequest {
        owner: held.owner,
        held: vec![(held.job, held.generation)],
        abandoned: Vec::new(),
        lease_for,
    };
    let before = case.run(held.job).await.lease.unwrap().expires_at;
    written_together(&case, &held, async {
        let _beats = case.stores.leases.heartbeat(&beat).await.unwrap();
    })
    .await;
    assert!(case.run(held.job).await.lease.unwrap().expires_at >= before.after(LEASE));
    assert_eq!(case.count(held.job, "checkpointed").await, 2);
}

#[tokio::test]
async fn a_checkpoint_keeps_the_limits_that_were_set_before_it_and_stays_itself() {
    let case = Case::open(OnSqlite).await;
    let held = case.running(job()).await;
    let limits = Limits { calls: Some(7), ..Limits::default() };
    let change = async {
        assert!(matches!(case.set_limits(held.job, limits).await, ControlAnswer::Done(_)));
    };
    written_together(&case, &held, change).await;
    assert_eq!(case.run(held.job).await.limits.calls, Some(7));
    assert_eq!(case.count(held.job, "checkpointed").await, 2);
}

#[tokio::test]
async fn a_commit_that_breaks_a_constraint_fails_alone() {
    let case = Case::open(OnSqlite).await;
    let held = running(&case, 10).await;
    let taken = case.hold("taken", "0.01");
    case.applied(commit(&held[0]).hold(&taken)).await;
    let commits = held.iter().enumerate().map(|(place, held)| {
        let hold = if place == 5 { taken.clone() } else { case.hold("fresh", "0.01") };
        case.commit(commit(held).hold(&hold))
    });
    for (place, answer) in join_all(commits).await.into_iter().enumerate() {
        if place == 5 {
            assert!(matches!(answer, Err(Error::Invalid(_))), "{answer:?}");
        } else {
            assert!(matches!(answer, Ok(Fenced::Applied(_))), "{answer:?}");
        }
    }
    case.check().await;
}

#[tokio::test]
async fn a_commit_that_names_the_hold_of_another_job_harms_only_itself() {
    let case = Case::open(OnSqlite).await;
    let held = running(&case, 10).await;
    let hold = case.hold("theirs", "0.01");
    let owner = held.last().unwrap();
    case.applied(commit(owner).hold(&hold)).await;
    // The others wait in front of the owner, in the same transaction.
    let commits = held.iter().map(|held| case.commit(commit(held).settle(hold.id, "0.005")));
    let mut answers = join_all(commits).await;
    let of_owner = answers.pop().unwrap();
    assert!(matches!(of_owner, Ok(Fenced::Applied(_))), "{of_owner:?}");
    for answer in answers {
        assert!(matches!(answer, Err(Error::Invalid(_))), "{answer:?}");
    }
    case.check().await;
}

#[tokio::test]
async fn a_commit_on_a_row_that_cannot_be_read_fails_alone() {
    let case = Case::open(OnSqlite).await;
    let held = running(&case, 4).await;
    case.damage(held[2].job).await;
    let commits = held.iter().map(|held| case.commit(commit(held).checkpoint("a")));
    for (place, answer) in join_all(commits).await.into_iter().enumerate() {
        if place == 2 {
            assert!(matches!(answer, Err(Error::Corrupt { .. })), "{answer:?}");
        } else {
            assert!(matches!(answer, Ok(Fenced::Applied(_))), "{answer:?}");
        }
    }
}
