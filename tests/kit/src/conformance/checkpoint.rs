//! Checkpoints, progress and notes.

use koinon_domain::{Attempt, Digest, Progress};
use koinon_store::{Clock as _, INLINE_MAX_BYTES, Stored};

use crate::{Case, commit, job, key, stage};

pub async fn a_checkpoint_reads_back_inline_and_as_a_blob(case: &Case) {
    let held = case.running(job()).await;
    let inline = Stored::Inline((0..=255).cycle().take(INLINE_MAX_BYTES).collect());
    let blob = Stored::Blob { digest: Digest::of(b"big"), size_bytes: 1 << 40 };
    let empty = Stored::Inline(Vec::new());
    let sent = commit(&held)
        .checkpoint_at(key("generate", "a"), inline.clone())
        .checkpoint_at(key("generate", "b"), blob.clone())
        .checkpoint_at(key("generate", "c"), empty.clone());
    case.applied(sent).await;
    let found = case.checkpoints(held.job, &stage("generate")).await;
    let results: Vec<_> = found.iter().map(|one| one.result.clone()).collect();
    assert_eq!(results, [inline, blob, empty]);
    assert!(found.iter().all(|one| one.generation == held.generation));
    assert!(found.iter().all(|one| one.at == case.clock.now()));
}

pub async fn checkpoints_are_read_by_stage(case: &Case) {
    let held = case.running(job()).await;
    let sent = commit(&held)
        .checkpoint_at(key("parse", "a"), Stored::Inline(vec![1]))
        .checkpoint_at(key("generate", "a"), Stored::Inline(vec![2]));
    case.applied(sent).await;
    let found = case.checkpoints(held.job, &stage("parse")).await;
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].key, key("parse", "a"));
    assert_eq!(case.checkpoints(held.job, &stage("other")).await, []);
}

pub async fn a_checkpoint_of_a_whole_stage_stands_beside_those_of_its_items(case: &Case) {
    let held = case.running(job()).await;
    let mut whole = key("generate", "a");
    whole.item = None;
    let sent = commit(&held)
        .checkpoint("a")
        .checkpoint_at(whole.clone(), Stored::Inline(b"whole".to_vec()));
    case.applied(sent).await;
    let found = case.checkpoints(held.job, &stage("generate")).await;
    assert_eq!(
        found.iter().map(|one| one.key.clone()).collect::<Vec<_>>(),
        [whole, key("generate", "a")]
    );
}

pub async fn a_checkpoint_key_has_exactly_one_row(case: &Case) {
    let held = case.running(job()).await;
    let mut whole = key("generate", "a");
    whole.item = None;
    let stored = || Stored::Inline(b"again".to_vec());
    case.applied(commit(&held).checkpoint("a").checkpoint_at(whole.clone(), stored())).await;
    case.wrong(commit(&held).checkpoint_at(key("generate", "a"), stored())).await;
    case.wrong(commit(&held).checkpoint_at(whole, stored())).await;
    case.wrong(commit(&held).checkpoint("b").checkpoint("b")).await;
}

pub async fn another_input_or_version_is_another_checkpoint(case: &Case) {
    let held = case.running(job()).await;
    case.applied(commit(&held).checkpoint("a")).await;
    let mut input = key("generate", "a");
    input.input = Digest::of(b"other");
    let mut version = key("generate", "a");
    version.version = 2;
    let stored = || Stored::Inline(b"again".to_vec());
    case.applied(commit(&held).checkpoint_at(input, stored())).await;
    case.applied(commit(&held).checkpoint_at(version, stored())).await;
    assert_eq!(case.checkpoints(held.job, &stage("generate")).await.len(), 3);
}

pub async fn checkpoints_outlive_the_claim_that_stored_them(case: &Case) {
    let first = case.running(job()).await;
    case.applied(commit(&first).checkpoint("a")).await;
    case.lose_leases().await;
    let second = case.take(first.job).await;
    let found = case.checkpoints(second.job, &stage("generate")).await;
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].generation, first.generation);
    case.wrong(commit(&second).start().checkpoint("a")).await;
}

pub async fn the_first_checkpoint_of_a_claim_sets_the_attempt_to_one(case: &Case) {
    let id = case.submit(job().max_attempts(9)).await;
    for _ in 0..3 {
        case.take(id).await;
        case.lose_leases().await;
    }
    let held = case.take(id).await;
    assert_eq!(case.run(id).await.attempt, Attempt::new(4));
    assert_eq!(case.run(id).await.streaks.losses_without_checkpoint, 3);
    case.applied(commit(&held).start().checkpoint("a")).await;
    let run = case.run(id).await;
    assert_eq!((run.attempt, run.streaks.losses_without_checkpoint), (Attempt::new(1), 0));
    assert_eq!(run.streaks.lease_losses, 3);
}

pub async fn each_checkpoint_is_told_with_its_place(case: &Case) {
    let held = case.running(job()).await;
    case.applied(commit(&held).checkpoint("a").checkpoint("b")).await;
    let events = case.events(held.job).await;
    let items: Vec<_> = events
        .iter()
        .filter(|event| event.name.as_str() == "checkpointed")
        .map(|event| (event.detail["stage"].as_str(), event.detail["item"].as_str()))
        .collect();
    assert_eq!(items, [("generate", "a"), ("generate", "b")]);
}

pub async fn progress_is_kept_as_it_was_told_last(case: &Case) {
    let held = case.running(job()).await;
    let progress = |done| Progress {
        stage: stage("generate"),
        done,
        total: u64::from(u32::MAX),
        unit: "items".to_owned(),
    };
    for done in [1, 2] {
        let mut sent = commit(&held).build();
        sent.progress = Some(progress(done));
        case.applied(sent).await;
    }
    case.applied(commit(&held).checkpoint("a")).await;
    assert_eq!(case.run(held.job).await.progress, Some(progress(2)));
    case.applied(commit(&held).succeed()).await;
    assert_eq!(case.run(held.job).await.progress, Some(progress(2)));
}
