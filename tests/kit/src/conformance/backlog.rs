//! How much waits and runs in each queue.

use std::time::Duration;

use koinon_domain::{Control, QueueName, State};
use koinon_store::{COUNT_MAX, Clock as _, End, QueueBacklog, RunningLimits};

use crate::factory::schedule;
use crate::{Case, LEASE, commit, job};

async fn backlog(case: &Case, queues: &[&str]) -> Vec<QueueBacklog> {
    let queues = queues.iter().map(|name| (name_of(name), RunningLimits::NONE));
    case.stores.queues.backlog(&queues.collect::<Vec<_>>()).await.unwrap()
}

/// The backlog of the queue `report`, which must be the only one.
async fn only(case: &Case) -> QueueBacklog {
    let mut found = backlog(case, &[]).await;
    assert_eq!(found.len(), 1, "{found:?}");
    found.pop().unwrap()
}

fn name_of(queue: &str) -> QueueName {
    QueueName::try_new(queue).unwrap()
}

fn empty(queue: &str) -> QueueBacklog {
    QueueBacklog::empty(name_of(queue))
}

pub async fn a_backlog_counts_each_living_job_once_by_where_it_stands(case: &Case) {
    for state in State::ALL {
        case.in_state(state).await;
    }
    case.submit(job().queue("index")).await;
    let age = Some(Duration::ZERO);
    let index = QueueBacklog { ready: 1, oldest_ready_age: age, ..empty("index") };
    let report = QueueBacklog {
        ready: 1,
        active: 4,
        retry: 1,
        paused: 1,
        oldest_ready_age: age,
        ..empty("report")
    };
    assert_eq!(backlog(case, &[]).await, [index, report]);
}

pub async fn what_a_worker_would_find_is_ready_though_no_sweep_has_been_there(case: &Case) {
    let wait = Duration::from_secs(30);
    let held = case.running(job()).await;
    case.applied(commit(&held).retry_after(wait)).await;
    let held = case.leased(job().priority(0)).await;
    case.applied(commit(&held).end(End::HandedBack { wait, interrupted: false })).await;
    assert_eq!(only(case).await, QueueBacklog { retry: 1, deferred: 1, ..empty("report") });
    case.clock.advance(wait);
    let ready =
        QueueBacklog { ready: 2, oldest_ready_age: Some(Duration::ZERO), ..empty("report") };
    assert_eq!(only(case).await, ready);
    case.recover().await;
    assert_eq!(only(case).await, ready);
}

pub async fn a_tick_that_is_due_is_ready_though_no_worker_has_been_there(case: &Case) {
    let schedules = &case.stores.schedules;
    for name in ["a", "b"] {
        schedules.add_schedule(schedule(name, &*case.clock)).await.unwrap();
    }
    assert_eq!(backlog(case, &[]).await, []);
    case.clock.advance(Duration::from_millis(61_500));
    let age = Some(Duration::from_millis(1_500));
    let ready = QueueBacklog { ready: 2, oldest_ready_age: age, ..empty("report") };
    assert_eq!(only(case).await, ready);
    case.stores.queues.pause(&name_of("report")).await.unwrap();
    let paused_at = Some(case.clock.now());
    assert_eq!(only(case).await, QueueBacklog { paused: 2, paused_at, ..empty("report") });
    case.stores.queues.resume(&name_of("report")).await.unwrap();
    schedules.fire_schedules(100).await.unwrap();
    let ready = QueueBacklog { ready: 2, oldest_ready_age: Some(Duration::ZERO), ..ready };
    assert_eq!(only(case).await, ready, "the jobs stand there instead");
}

pub async fn a_job_without_budget_is_blocked_and_neither_paused_nor_ready(case: &Case) {
    let held = case.running(job()).await;
    case.applied(commit(&held).out_of_budget()).await;
    assert_eq!(only(case).await, QueueBacklog { active: 1, ..empty("report") });
    case.applied(commit(&held).flush()).await;
    assert_eq!(only(case).await, QueueBacklog { blocked: 1, ..empty("report") });
    case.control(held.job, Control::Resume).await;
    case.control(held.job, Control::Pause).await;
    assert_eq!(only(case).await, QueueBacklog { paused: 1, ..empty("report") });
}

pub async fn a_job_that_was_set_aside_is_counted_apart(case: &Case) {
    let damaged = case.running(job()).await;
    case.damage(damaged.job).await;
    case.lose_leases().await;
    assert_eq!(only(case).await, QueueBacklog { set_aside: 1, ..empty("report") });
}

pub async fn an_expired_lease_is_still_active(case: &Case) {
    case.running(job()).await;
    case.clock.advance(LEASE * 2);
    assert_eq!(only(case).await, QueueBacklog { active: 1, ..empty("report") });
}

pub async fn a_queue_that_was_asked_for_is_there_without_a_job(case: &Case) {
    assert_eq!(backlog(case, &[]).await, []);
    let held = case.running(job()).await;
    case.applied(commit(&held).succeed()).await;
    assert_eq!(backlog(case, &["report", "Report"]).await, [empty("Report"), empty("report")]);
}

pub async fn the_age_is_that_of_the_job_that_has_been_ready_for_longest(case: &Case) {
    case.submit(job().priority(0)).await;
    case.clock.advance(Duration::from_millis(1_500));
    case.submit(job().priority(9)).await;
    case.clock.advance(Duration::from_micros(10_999));
    assert_eq!(only(case).await.oldest_ready_age, Some(Duration::from_millis(1_510)));
}

/// The backlog of the queue `report`, of which so many jobs may run, and so many of each tenant.
async fn limited(case: &Case, running: Option<u32>, per_tenant: Option<u32>) -> QueueBacklog {
    let queue = (name_of("report"), RunningLimits { running, per_tenant });
    let mut found = case.stores.queues.backlog(&[queue]).await.unwrap();
    assert_eq!(found.len(), 1, "{found:?}");
    found.pop().unwrap()
}

pub async fn of_what_would_be_ready_only_what_may_run_is_ready(case: &Case) {
    for tenant in ["acme", "acme", "acme", "globex", "globex"] {
        case.submit(job().tenant(tenant)).await;
    }
    let counts = async |running, per_tenant| {
        let found = limited(case, running, per_tenant).await;
        (found.ready, found.active, found.blocked)
    };
    assert_eq!(counts(None, None).await, (5, 0, 0));
    assert_eq!(counts(Some(3), None).await, (3, 0, 2));
    assert_eq!(counts(None, Some(1)).await, (2, 0, 3));
    assert_eq!(counts(None, Some(2)).await, (4, 0, 1));
    assert_eq!(counts(Some(3), Some(2)).await, (3, 0, 2));
    case.running(job().tenant("acme")).await;
    assert_eq!(counts(Some(3), None).await, (2, 1, 3));
    assert_eq!(counts(None, Some(1)).await, (1, 1, 4));
    assert_eq!(counts(Some(3), Some(2)).await, (2, 1, 3));
    assert_eq!(counts(Some(1), Some(2)).await, (0, 1, 5));
}

pub async fn what_is_blocked_by_a_limit_has_no_age_and_a_paused_queue_has_no_limit(case: &Case) {
    let held = case.running(job()).await;
    case.submit(job()).await;
    let full = QueueBacklog { active: 1, blocked: 1, ..empty("report") };
    assert_eq!(limited(case, Some(1), None).await, full);
    assert_eq!(limited(case, None, Some(1)).await, full);
    case.applied(commit(&held).retry_after(Duration::ZERO)).await;
    // A wait that is over is ready whatever its tenant, until a sweep has queued it.
    let found = limited(case, None, Some(1)).await;
    assert_eq!((found.ready, found.active, found.blocked), (2, 0, 0));
    let found = limited(case, Some(1), None).await;
    assert_eq!((found.ready, found.active, found.blocked), (1, 0, 1));
    case.stores.queues.pause(&name_of("report")).await.unwrap();
    let found = limited(case, Some(1), Some(1)).await;
    assert_eq!((found.ready, found.paused, found.blocked), (0, 2, 0));
}

pub async fn a_count_stops_above_ten_thousand(case: &Case) {
    for priority in 0..10 {
        // Past the case, whose check of every job would take long.
        let jobs = (0..1_005).map(|_| job().priority(priority).build(&*case.clock));
        case.stores.jobs.submit(jobs.collect()).await.unwrap();
    }
    assert_eq!(only(case).await.ready, COUNT_MAX);
}
