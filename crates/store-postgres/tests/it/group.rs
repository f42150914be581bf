//! What arrives together is written together, and fails apart.

use futures::future::join_all;
use koinon_kit::{Case, Held, commit, job};
use koinon_store::{Error, Fenced};

use crate::harness::{OnPostgres, Place};

async fn running(case: &Case, count: usize) -> Vec<Held> {
    let mut held = Vec::new();
    for _ in 0..count {
        held.push(case.running(job()).await);
    }
    held
}

#[tokio::test]
async fn commits_that_arrive_together_share_transactions() {
    let case = Case::open(OnPostgres).await;
    let held = running(&case, 40).await;
    join_all(held.iter().map(|held| case.applied(commit(held).checkpoint("a")))).await;
    let mut database = case.stores.kept::<Place>().unwrap().raw().await;
    let transactions: i64 =
        sqlx::query_scalar("SELECT count(DISTINCT xmin::text) FROM checkpoints")
            .fetch_one(&mut database)
            .await
            .unwrap();
    assert!(transactions <= 10, "40 commits took {transactions} transactions");
}

#[tokio::test]
async fn a_commit_that_breaks_a_constraint_fails_alone() {
    let case = Case::open(OnPostgres).await;
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
async fn a_commit_on_a_row_that_cannot_be_read_fails_alone() {
    let case = Case::open(OnPostgres).await;
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
