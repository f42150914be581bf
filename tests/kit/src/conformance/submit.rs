//! Submitting jobs.

use koinon_domain::{Attempt, Control, EventName, Generation, JobId, State};
use koinon_store::{Clock as _, JobStatus, Submission, Submitted};

use crate::{Case, job};

pub async fn a_new_job_is_queued_and_stands_as_it_was_asked_for(case: &Case) {
    let asked = job().priority(7).budget("1.5").payload(br#"{"topic":"tea"}"#.to_vec());
    let submission = asked.clone().id(JobId::from_uuid(case.clock.uuid())).build(&*case.clock);
    let id = case.submit(asked.id(submission.job.id)).await;
    let status = case.status(id).await;
    assert_eq!(status.spec.payload, submission.job.payload);
    assert_eq!(status.spec.authority, submission.job.authority);
    assert_eq!(status.spec.identity, submission.job.identity);
    assert_eq!(
        (status.spec.limits, status.run.limits),
        (submission.job.limits, submission.job.limits)
    );
    assert_eq!(
        (status.spec.kind, status.spec.project),
        (submission.job.kind, submission.job.project)
    );
    assert_eq!(status.spec.submitted_at, case.clock.now());
    assert_eq!(status.run.state, State::Queued);
    assert_eq!((status.run.generation, status.run.attempt), (Generation::ZERO, Attempt::ZERO));
    let events = case.events(id).await;
    assert_eq!(events.len(), 1);
    assert_eq!((&events[0].name, events[0].to), (&EventName::Submitted, Some(State::Queued)));
}

pub async fn jobs_of_one_batch_are_each_as_they_were_asked_for(case: &Case) {
    let asked = [
        job().payload(br#"{"n":1}"#.to_vec()),
        job().payload(vec![b'7'; 5_000]),
        job().payload(b"[]".to_vec()).budget("1.5"),
        job().payload(b"2".to_vec()).kind("invoice").queue("slow").priority(1),
        job().payload(b"33".to_vec()),
        job().payload(b"444".to_vec()),
    ];
    let named = asked
        .into_iter()
        .zip(["a", "b", "c", "d", "e", "f"])
        .map(|(one, identity)| one.identity(identity).id(JobId::from_uuid(case.clock.uuid())));
    let asked: Vec<_> = named.collect();
    let answers = case.submit_all(asked.clone()).await;
    for (one, answer) in asked.into_iter().zip(answers) {
        let Submission { job, .. } = one.build(&*case.clock);
        assert_eq!(answer, Submitted::Created(job.id));
        let JobStatus { spec, run } = case.status(job.id).await;
        assert_eq!((spec.payload, spec.identity), (job.payload, job.identity));
        assert_eq!((spec.kind, spec.priority), (job.kind, job.priority));
        assert_eq!((spec.limits, run.limits), (job.limits, job.limits));
        assert_eq!((run.queue, run.priority), (job.queue, job.priority));
        assert_eq!(case.events(job.id).await.len(), 1);
    }
}

pub async fn what_is_new_is_taken_in_beside_what_is_there_already(case: &Case) {
    let there = case.submit(job().identity("b")).await;
    for round in 0..3 {
        let fresh = [format!("a{round}"), format!("c{round}")];
        let batch = [fresh[0].as_str(), "b", fresh[1].as_str()];
        let answers = case.submit_all(batch.map(|one| job().identity(one)).to_vec()).await;
        assert!(matches!(answers[0], Submitted::Created(_)));
        assert_eq!(answers[1], Submitted::Existing(there));
        assert!(matches!(answers[2], Submitted::Created(_)));
    }
}

pub async fn a_second_submission_of_an_identity_is_the_same_job(case: &Case) {
    let first = case.submit(job().identity("a")).await;
    let before = case.snapshot(first).await;
    let second = case.submit_any(job().identity("a").priority(9).payload(b"[]".to_vec())).await;
    assert_eq!(second, Submitted::Existing(first));
    assert_eq!(case.snapshot(first).await, before);
}

pub async fn an_identity_submitted_twice_in_one_batch_is_one_job(case: &Case) {
    let batch = ["a", "b", "a"].map(|identity| job().identity(identity)).to_vec();
    let answers = case.submit_all(batch).await;
    assert!(matches!(answers[..2], [Submitted::Created(_), Submitted::Created(_)]));
    assert_ne!(answers[0].job(), answers[1].job());
    assert_eq!(answers[2], Submitted::Existing(answers[0].job()));
}

pub async fn the_same_identity_of_another_tenant_is_another_job(case: &Case) {
    let ours = case.submit(job().identity("a")).await;
    let theirs = case.submit(job().identity("a").tenant("globex")).await;
    assert_ne!(ours, theirs);
}

pub async fn many_submissions_of_one_identity_at_once_make_one_job(case: &Case) {
    let submissions = (0..16).map(|_| case.submit_any(job().identity("a")));
    let answers = futures::future::join_all(submissions).await;
    let created = |answer: &&Submitted| matches!(answer, Submitted::Created(_));
    assert_eq!(answers.iter().filter(created).count(), 1);
    assert!(answers.iter().all(|answer| answer.job() == answers[0].job()));
}

pub async fn only_a_cancelled_job_is_replaced_and_only_on_demand(case: &Case) {
    let first = case.submit(job().identity("a")).await;
    let again = || job().identity("a").replacing_cancelled();
    assert_eq!(case.submit_any(again()).await, Submitted::Existing(first));
    case.control(first, Control::Cancel).await;
    assert_eq!(case.submit_any(job().identity("a")).await, Submitted::Existing(first));
    let second = case.submit(again()).await;
    assert_ne!(second, first);
    assert_eq!(case.state(first).await, State::Cancelled);
    assert_eq!(case.state(second).await, State::Queued);
}

pub async fn the_newest_job_of_an_identity_is_the_one_that_is_found(case: &Case) {
    let again = || job().identity("a").replacing_cancelled();
    let first = case.submit(again()).await;
    case.control(first, Control::Cancel).await;
    let second = case.submit(again()).await;
    assert_eq!(case.submit_any(job().identity("a")).await, Submitted::Existing(second));
    case.control(second, Control::Cancel).await;
    let third = case.submit(again()).await;
    assert_eq!(case.submit_any(again()).await, Submitted::Existing(third));
}

pub async fn a_submission_under_a_used_id_is_refused_with_its_whole_batch(case: &Case) {
    let first = case.submit(job()).await;
    let batch =
        vec![job().identity("new").build(&*case.clock), job().id(first).build(&*case.clock)];
    let neighbour = batch[0].job.clone();
    // The identity differs from that of the first, so that only the id is the same.
    let mut batch = batch;
    batch[1].job.identity = koinon_domain::Digest::of(b"other");
    let error = case.stores.jobs.submit(batch).await.unwrap_err();
    assert!(!error.is_transient());
    let found = case.stores.jobs.job(&neighbour.tenant, neighbour.id).await.unwrap();
    assert_eq!(found, None);
}

pub async fn a_job_has_at_least_one_attempt(case: &Case) {
    let id = case.submit(job().max_attempts(0)).await;
    assert_eq!(case.run(id).await.max_attempts, 1);
}

pub async fn the_same_submission_sent_again_finds_its_job(case: &Case) {
    // As a caller does whose answer was lost.
    let submission = job().identity("a").build(&*case.clock);
    let sent =
        |submission: &koinon_store::Submission| case.stores.jobs.submit(vec![submission.clone()]);
    let id = submission.job.id;
    assert_eq!(sent(&submission).await.unwrap(), [Submitted::Created(id)]);
    assert_eq!(sent(&submission).await.unwrap(), [Submitted::Existing(id)]);
}
