//! Reading jobs and their history, page by page.

use std::time::Duration;

use koinon_domain::{Control, EventSeq, JobId, Kind, ProjectId, State, TenantId};
use koinon_store::{
    Clock as _, ControlAnswer, ControlRequest, JobFilter, Listed, Outcome, ReconcileAnswer,
    ReconcileRequest,
};

use crate::{Case, commit, job};

fn tenant(name: &str) -> TenantId {
    TenantId::try_new(name).unwrap()
}

async fn pages(case: &Case, filter: &JobFilter, limit: u32) -> Vec<JobId> {
    let mut seen = Vec::new();
    let mut after = None;
    loop {
        let jobs = &case.stores.jobs;
        let page = jobs.jobs(&tenant("acme"), filter, after, limit).await.unwrap();
        assert!(page.len() <= limit as usize);
        let Some(last) = page.last() else { return seen };
        after = Some(last.cursor());
        seen.extend(page.iter().map(Listed::id));
    }
}

pub async fn pages_of_jobs_never_skip_or_repeat_one(case: &Case) {
    let mut submitted = Vec::new();
    for round in 0..4 {
        // Three at the same instant, so that the id has to decide.
        for _ in 0..3 {
            submitted.push(case.submit(job()).await);
        }
        case.clock.advance(Duration::from_micros(round));
    }
    submitted.reverse();
    for limit in [1, 2, 5, 100] {
        assert_eq!(pages(case, &JobFilter::default(), limit).await, submitted, "by {limit}");
    }
}

pub async fn a_job_submitted_while_somebody_turns_pages_moves_none_of_them(case: &Case) {
    let mut submitted = Vec::new();
    for _ in 0..4 {
        submitted.push(case.submit(job()).await);
        case.clock.advance(Duration::from_secs(1));
    }
    let jobs = &case.stores.jobs;
    let acme = tenant("acme");
    let first = jobs.jobs(&acme, &JobFilter::default(), None, 2).await.unwrap();
    case.submit(job()).await;
    let after = Some(first[1].cursor());
    let second = jobs.jobs(&acme, &JobFilter::default(), after, 2).await.unwrap();
    let ids: Vec<_> = first.iter().chain(&second).map(Listed::id).collect();
    submitted.reverse();
    assert_eq!(ids, submitted);
}

pub async fn a_filter_lets_through_only_what_it_names(case: &Case) {
    let plain = case.submit(job()).await;
    let other_project = case.submit(job().project("books")).await;
    let other_kind = case.submit(job().kind("dataset")).await;
    let cancelled = case.submit(job()).await;
    case.control(cancelled, Control::Cancel).await;
    let project =
        JobFilter { project: Some(ProjectId::try_new("books").unwrap()), ..JobFilter::default() };
    assert_eq!(pages(case, &project, 10).await, [other_project]);
    let kind = JobFilter { kind: Some(Kind::try_new("dataset").unwrap()), ..JobFilter::default() };
    assert_eq!(pages(case, &kind, 10).await, [other_kind]);
    let ended = JobFilter { state: Some(State::Cancelled), ..JobFilter::default() };
    assert_eq!(pages(case, &ended, 10).await, [cancelled]);
    let all = JobFilter {
        state: Some(State::Queued),
        project: Some(ProjectId::try_new("docs").unwrap()),
        kind: Some(Kind::try_new("report").unwrap()),
    };
    assert_eq!(pages(case, &all, 10).await, [plain]);
}

pub async fn a_tenant_neither_sees_nor_steers_the_jobs_of_another(case: &Case) {
    let held = case.running(job()).await;
    let hold = case.hold("a", "0.01");
    case.applied(commit(&held).hold(&hold)).await;
    case.lose_leases().await;
    let globex = tenant("globex");
    let (jobs, ledger) = (&case.stores.jobs, &case.stores.ledger);
    let before = case.snapshot(held.job).await;
    assert_eq!(jobs.job(&globex, held.job).await.unwrap(), None);
    assert_eq!(jobs.jobs(&globex, &JobFilter::default(), None, 10).await.unwrap(), []);
    assert_eq!(jobs.events(&globex, held.job, EventSeq::ZERO, 10).await.unwrap(), []);
    assert_eq!(ledger.entries(&globex, held.job, 0, 10).await.unwrap(), []);
    assert_eq!(ledger.in_doubt(&globex, None, 10).await.unwrap(), []);
    assert_eq!(ledger.in_doubt(&globex, Some(held.job), 10).await.unwrap(), []);
    let cancel = ControlRequest::State(Control::Cancel);
    let answer = jobs.control(&globex, held.job, cancel).await.unwrap();
    assert_eq!(answer, ControlAnswer::NotFound);
    let request = ReconcileRequest { tenant: globex, hold: hold.id, outcome: Outcome::Nothing };
    assert_eq!(ledger.reconcile(request).await.unwrap(), ReconcileAnswer::NotFound);
    assert_eq!(case.snapshot(held.job).await, before);
}

pub async fn what_does_not_exist_is_not_found(case: &Case) {
    let acme = tenant("acme");
    let id = JobId::from_uuid(case.clock.uuid());
    let jobs = &case.stores.jobs;
    assert_eq!(jobs.job(&acme, id).await.unwrap(), None);
    assert_eq!(jobs.events(&acme, id, EventSeq::ZERO, 10).await.unwrap(), []);
    let pause = ControlRequest::State(Control::Pause);
    assert_eq!(jobs.control(&acme, id, pause).await.unwrap(), ControlAnswer::NotFound);
}

pub async fn pages_of_events_go_on_after_the_cursor(case: &Case) {
    let held = case.running(job()).await;
    for item in ["a", "b", "c"] {
        case.applied(commit(&held).checkpoint(item)).await;
    }
    let all = case.events(held.job).await;
    assert_eq!(all.len(), 6);
    let page = case.stores.jobs.events(&held.tenant, held.job, EventSeq::new(2), 3).await.unwrap();
    assert_eq!(page, all[2..5]);
    let end = case.stores.jobs.events(&held.tenant, held.job, EventSeq::new(6), 3).await.unwrap();
    assert_eq!(end, []);
}
