//! What has ended goes after a while, and the ledger stays.

use std::collections::BTreeSet;
use std::time::Duration;

use koinon_domain::{Control, Digest, EventSeq, JobId, QueueName, State};
use koinon_store::{
    Clock as _, ControlAnswer, End, HoldOutcome, Manifest, NamesAfter, Old, Outcome, Pruned,
    ReconcileRequest, Stored, Submitted,
};

use crate::{Case, JobBuilder, commit, job, key, schedule, stage};

const DAY: Duration = Duration::from_hours(24);

fn old(queue: &str, state: State) -> Old {
    Old { queue: QueueName::try_new(queue).unwrap(), state, kept_for: DAY }
}

async fn prune(case: &Case, old: &Old) -> Pruned {
    case.stores.retention.prune_jobs(old, 100).await.unwrap()
}

async fn succeeded(case: &Case, builder: JobBuilder) -> JobId {
    let held = case.running(builder).await;
    case.applied(commit(&held).checkpoint("a")).await;
    case.applied(commit(&held).succeed()).await;
    held.job
}

async fn exists(case: &Case, id: JobId) -> bool {
    let tenant = job().build(&*case.clock).job.tenant;
    case.stores.jobs.job(&tenant, id).await.unwrap().is_some()
}

async fn names(case: &Case) -> BTreeSet<Digest> {
    let (mut names, mut after) = (BTreeSet::new(), Some(NamesAfter::FIRST));
    while let Some(from) = after {
        let page = case.stores.retention.blob_names(&from, 2).await.unwrap();
        names.extend(page.names.into_iter().map(|(_, name)| name));
        after = page.next;
    }
    names
}

pub async fn old_jobs_go_and_young_ones_stay(case: &Case) {
    let first = succeeded(case, job()).await;
    case.clock.advance(DAY);
    let second = succeeded(case, job()).await;
    assert_eq!(prune(case, &old("report", State::Succeeded)).await, Pruned::default());
    case.clock.advance(Duration::from_micros(1));
    assert_eq!(prune(case, &old("report", State::Succeeded)).await.jobs, 1);
    assert!(!exists(case, first).await);
    assert!(exists(case, second).await);
    case.forget(first);
}

pub async fn only_jobs_of_the_queue_that_ended_in_that_way_go(case: &Case) {
    let here = succeeded(case, job()).await;
    let elsewhere = succeeded(case, job().queue("index")).await;
    let (failed, _) = case.in_state(State::Failed).await;
    let (cancelled, _) = case.in_state(State::Cancelled).await;
    case.clock.advance(DAY * 2);
    let pruned = prune(case, &old("report", State::Succeeded)).await;
    assert_eq!(pruned.jobs, 1);
    case.forget(here);
    for stays in [elsewhere, failed, cancelled] {
        assert!(exists(case, stays).await);
    }
    assert_eq!(prune(case, &old("report", State::Failed)).await.jobs, 1);
    assert_eq!(prune(case, &old("report", State::Cancelled)).await.jobs, 1);
    assert!(exists(case, elsewhere).await);
    case.forget(failed);
    case.forget(cancelled);
}

pub async fn a_job_that_has_not_ended_never_goes(case: &Case) {
    let mut living = Vec::new();
    for state in State::ALL.into_iter().filter(|state| !state.is_terminal()) {
        living.push(case.in_state(state).await.0);
    }
    let retried = case.in_state(State::Failed).await.0;
    case.control(retried, Control::Retry).await;
    living.push(retried);
    case.clock.advance(DAY * 1_000);
    for state in State::ALL {
        assert_eq!(prune(case, &old("report", state)).await, Pruned::default(), "{state}");
    }
    for id in living {
        assert!(exists(case, id).await);
    }
}

pub async fn a_pruned_job_is_not_found_and_its_identity_is_free(case: &Case) {
    let id = succeeded(case, job().identity("a")).await;
    let tenant = case.status(id).await.spec.tenant;
    case.clock.advance(DAY * 2);
    prune(case, &old("report", State::Succeeded)).await;
    case.forget(id);
    assert!(!exists(case, id).await);
    let jobs = &case.stores.jobs;
    assert_eq!(jobs.events(&tenant, id, EventSeq::ZERO, 10).await.unwrap(), []);
    assert_eq!(jobs.checkpoints(id, &stage("generate")).await.unwrap(), []);
    assert_eq!(case.control(id, Control::Cancel).await, ControlAnswer::NotFound);
    let again = case.submit_any(job().identity("a")).await;
    assert!(matches!(again, Submitted::Created(new) if new != id));
}

pub async fn a_page_counts_what_pruning_takes(case: &Case) {
    let mut jobs = Vec::new();
    for _ in 0..3 {
        jobs.push(succeeded(case, job()).await);
        case.clock.advance(Duration::from_secs(1));
    }
    case.clock.advance(DAY * 2);
    let wanted = old("report", State::Succeeded);
    let store = &case.stores.retention;
    let first = store.old_jobs(&wanted, None, 2).await.unwrap();
    let second = store.old_jobs(&wanted, first.next, 2).await.unwrap();
    assert_eq!((&first.jobs[..], &second.jobs[..]), (&jobs[..2], &jobs[2..]));
    assert_eq!(second.next, None);
    let (counted, pruned) = (first.pruned.plus(second.pruned), prune(case, &wanted).await);
    assert_eq!(counted, pruned);
    assert_eq!((pruned.jobs, pruned.checkpoints), (3, 3));
    assert!(pruned.events >= 12, "{pruned:?}");
    assert_eq!(store.old_jobs(&wanted, None, 2).await.unwrap().jobs, []);
    jobs.into_iter().for_each(|id| case.forget(id));
}

pub async fn pruning_is_bounded_and_takes_the_oldest_first(case: &Case) {
    let mut jobs = Vec::new();
    for _ in 0..3 {
        jobs.push(succeeded(case, job()).await);
        case.clock.advance(Duration::from_secs(1));
    }
    case.clock.advance(DAY * 2);
    let wanted = old("report", State::Succeeded);
    assert_eq!(case.stores.retention.prune_jobs(&wanted, 2).await.unwrap().jobs, 2);
    assert!(exists(case, jobs[2]).await);
    jobs[..2].iter().for_each(|id| case.forget(*id));
}

pub async fn pruning_at_once_takes_each_job_once(case: &Case) {
    for _ in 0..10 {
        let id = succeeded(case, job()).await;
        case.forget(id);
    }
    case.clock.advance(DAY * 2);
    let wanted = old("report", State::Succeeded);
    let all = (0..8).map(|_| case.stores.retention.prune_jobs(&wanted, 3));
    let pruned: Vec<_> =
        futures::future::join_all(all).await.into_iter().map(Result::unwrap).collect();
    let rest = prune(case, &wanted).await;
    assert_eq!(pruned.iter().map(|one| one.jobs).sum::<u64>() + rest.jobs, 10);
}

pub async fn a_job_with_a_call_in_doubt_stays_until_it_is_reconciled(case: &Case) {
    let held = case.running(job()).await;
    let hold = case.hold("a", "0.25");
    case.applied(commit(&held).hold(&hold)).await;
    case.applied(commit(&held).end_hold(hold.id, HoldOutcome::InDoubt)).await;
    case.applied(commit(&held).succeed()).await;
    case.clock.advance(DAY * 2);
    let wanted = old("report", State::Succeeded);
    assert_eq!(case.stores.retention.old_jobs(&wanted, None, 9).await.unwrap().jobs, []);
    assert_eq!(prune(case, &wanted).await, Pruned::default());
    let request =
        ReconcileRequest { tenant: held.tenant.clone(), hold: hold.id, outcome: Outcome::Nothing };
    case.stores.ledger.reconcile(request).await.unwrap();
    assert_eq!(prune(case, &wanted).await.jobs, 1);
    case.forget(held.job);
}

pub async fn the_queues_of_jobs_that_have_ended_are_named_once(case: &Case) {
    assert_eq!(case.stores.retention.ended_queues().await.unwrap(), []);
    case.submit(job().queue("waiting")).await;
    for queue in ["b", "a", "b"] {
        succeeded(case, job().queue(queue)).await;
    }
    let queues = case.stores.retention.ended_queues().await.unwrap();
    let mut queues: Vec<_> = queues.iter().map(QueueName::as_str).collect();
    queues.sort_unstable();
    assert_eq!(queues, ["a", "b"]);
}

pub async fn what_is_held_is_held_since_its_earliest_claim(case: &Case) {
    let since = async || case.stores.retention.held_since().await.unwrap();
    case.submit(job()).await;
    assert_eq!(since().await, case.clock.now(), "nothing is held");
    let first = case.clock.now();
    let held = case.running(job().priority(9)).await;
    case.clock.advance(Duration::from_secs(10));
    case.running(job().priority(8)).await;
    case.clock.advance(Duration::from_secs(10));
    assert_eq!(since().await, first);
    case.applied(commit(&held).succeed()).await;
    assert_eq!(since().await, first.after(Duration::from_secs(10)));
}

pub async fn a_turn_is_taken_once_each_time(case: &Case) {
    let take = || case.stores.retention.take_turn("prune", DAY);
    for _ in 0..3 {
        let taken = futures::future::join_all((0..8).map(|_| take())).await;
        assert_eq!(taken.into_iter().filter(|taken| *taken.as_ref().unwrap()).count(), 1);
        case.clock.advance(DAY - Duration::from_secs(1));
        assert!(!take().await.unwrap());
        case.clock.advance(Duration::from_secs(1));
    }
    assert!(case.stores.retention.take_turn("other", DAY).await.unwrap());
}

pub async fn every_blob_that_a_row_names_is_named_until_the_row_goes(case: &Case) {
    let digest = |text: &str| Digest::of(text.as_bytes());
    let quoted = |text: &str| format!(r#"{{"in":["{}"]}}"#, digest(text)).into_bytes();
    let blob = |text: &str| Stored::Blob { digest: digest(text), size_bytes: 9_000 };
    let mut new = schedule("nightly", &*case.clock);
    new.template.payload = quoted("schedule");
    case.stores.schedules.add_schedule(new).await.unwrap();
    let stays = case.submit(job().payload(quoted("living"))).await;
    let held = case.running(job().priority(9).payload(quoted("payload"))).await;
    let hold = case.hold("a", "0.01");
    case.applied(commit(&held).hold(&hold)).await;
    let mut answered = crate::settled("0.01");
    if let HoldOutcome::Settled { answer, .. } = &mut answered {
        *answer = Some(blob("answer"));
    }
    case.applied(commit(&held).end_hold(hold.id, answered)).await;
    case.applied(commit(&held).checkpoint_at(key("b", "1"), blob("checkpoint"))).await;
    case.applied(commit(&held).checkpoint_at(key("c", "1"), Stored::Inline(quoted("inline"))))
        .await;
    let artifact = koinon_store::Artifact {
        name: "train.jsonl".to_owned(),
        media_type: "application/jsonl".to_owned(),
        size_bytes: 1,
        digest: digest("manifest"),
    };
    let manifest = Manifest { artifacts: vec![artifact], summary: quoted("summary") };
    case.applied(commit(&held).end(End::Succeeded(manifest))).await;

    let all = |texts: &[&str]| texts.iter().map(|text| digest(text)).collect::<BTreeSet<_>>();
    let of_job = ["payload", "answer", "checkpoint", "inline", "manifest", "summary"];
    assert_eq!(names(case).await, &all(&of_job) | &all(&["schedule", "living"]));
    case.clock.advance(DAY * 2);
    assert_eq!(prune(case, &old("report", State::Succeeded)).await.jobs, 1);
    assert_eq!(names(case).await, all(&["schedule", "living"]));
    case.forget(held.job);
    assert!(exists(case, stays).await);
}
