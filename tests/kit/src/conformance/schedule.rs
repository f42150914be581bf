//! Schedules and their ticks.

use std::time::Duration;

use koinon_budget::{Limits, NanoUsd};
use koinon_domain::{Priority, ScheduleName, Timestamp};
use koinon_schedule::{BATCH_MAX, LATE_FOR, Missed};
use koinon_store::{
    Added, Clock as _, FiredAll, JobFilter, NewSchedule, Schedule, ScheduleControl, Submitted,
};

use crate::factory::{cron, every, schedule, tenant};
use crate::{Case, ManualClock};

const MINUTE: Duration = Duration::from_mins(1);

async fn add(case: &Case, new: NewSchedule) -> Schedule {
    match case.stores.schedules.add_schedule(new).await.unwrap() {
        Added::Added(schedule) => *schedule,
        Added::Exists(found) => panic!("{} exists", found.name),
    }
}

async fn fire(case: &Case) -> FiredAll {
    let fired = case.stores.schedules.fire_schedules(100).await.unwrap();
    for one in &fired.jobs {
        case.also_check(one.tenant.clone(), one.job.job());
    }
    fired
}

fn ticks(fired: &FiredAll) -> Vec<Timestamp> {
    fired.jobs.iter().map(|one| one.tick).collect()
}

/// The instant that many minutes after the beginning.
fn minutes(minutes: u64) -> Timestamp {
    ManualClock::START.after(MINUTE * u32::try_from(minutes).unwrap())
}

async fn read(case: &Case, name: &ScheduleName) -> Option<Schedule> {
    let tenant = schedule("x", &*case.clock).tenant;
    case.stores.schedules.schedule(&tenant, name).await.unwrap()
}

pub async fn a_schedule_reads_back_as_it_was_added(case: &Case) {
    let mut new = schedule("nightly", &*case.clock);
    new.cadence = cron("30 0 3 * * MON-FRI", "Europe/Berlin");
    new.missed = Missed::All;
    new.template.payload = br#"{"topic":"tea"}"#.to_vec();
    new.template.priority = Priority::try_new(7).unwrap();
    new.template.limits = Limits { cost: Some(NanoUsd::new(5)), ..Limits::default() };
    let added = add(case, new.clone()).await;
    assert_eq!(read(case, &new.name).await, Some(added.clone()));
    assert_eq!((added.id, &added.cadence, added.missed), (new.id, &new.cadence, new.missed));
    assert_eq!(added.template, new.template);
    assert_eq!((added.added_at, added.paused_at, added.last), (case.clock.now(), None, None));
    // 2026-11-01 is a Sunday; 03:00:30 on Monday in Berlin is 02:00:30 UTC.
    let monday = ManualClock::START.after(Duration::from_secs(26 * 3600 + 30));
    assert_eq!(added.next_at, Some(monday));
}

pub async fn a_name_is_taken_once_in_a_tenant(case: &Case) {
    let first = add(case, schedule("a", &*case.clock)).await;
    let mut second = schedule("a", &*case.clock);
    second.cadence = every(MINUTE * 2);
    let answer = case.stores.schedules.add_schedule(second).await.unwrap();
    assert_eq!(answer, Added::Exists(Box::new(first)));
    let mut theirs = schedule("a", &*case.clock);
    theirs.tenant = tenant("globex");
    add(case, theirs).await;
}

pub async fn schedules_are_listed_by_name_a_page_at_a_time(case: &Case) {
    for name in ["c", "a", "b"] {
        add(case, schedule(name, &*case.clock)).await;
    }
    let mut theirs = schedule("aa", &*case.clock);
    theirs.tenant = tenant("globex");
    add(case, theirs).await;
    let ours = schedule("x", &*case.clock).tenant;
    let store = &case.stores.schedules;
    let names = |page: Vec<Result<Schedule, koinon_store::Error>>| -> Vec<String> {
        page.into_iter().map(|one| one.unwrap().name.to_string()).collect()
    };
    assert_eq!(names(store.schedules(&ours, None, 2).await.unwrap()), ["a", "b"]);
    let after = ScheduleName::try_new("b").unwrap();
    assert_eq!(names(store.schedules(&ours, Some(&after), 2).await.unwrap()), ["c"]);
}

pub async fn a_tick_makes_one_job_as_the_template_says(case: &Case) {
    let mut new = schedule("a", &*case.clock);
    new.template.payload = br#"{"topic":"tea"}"#.to_vec();
    new.template.priority = Priority::try_new(7).unwrap();
    let added = add(case, new.clone()).await;
    case.clock.advance(MINUTE);
    let fired = fire(case).await;
    assert_eq!(ticks(&fired), [minutes(1)]);
    let Submitted::Created(job) = fired.jobs[0].job else { panic!("the job is not new") };
    let (spec, template) = (case.status(job).await.spec, new.template);
    assert_eq!((spec.payload, spec.priority), (template.payload, template.priority));
    assert_eq!(
        (spec.kind, spec.queue, spec.project),
        (template.kind, template.queue, template.project)
    );
    assert_eq!(spec.authority, added.template.authority);
    let after = read(case, &new.name).await.unwrap();
    assert_eq!(after.last.map(|last| (last.at, last.job)), Some((minutes(1), job)));
    assert_eq!(after.next_at, Some(minutes(2)));
    assert_eq!(fire(case).await, FiredAll::default());
}

pub async fn a_tick_is_not_fired_before_its_instant(case: &Case) {
    add(case, schedule("a", &*case.clock)).await;
    case.clock.advance(MINUTE - Duration::from_micros(1));
    assert_eq!(fire(case).await, FiredAll::default());
    case.clock.advance(Duration::from_micros(1));
    assert_eq!(ticks(&fire(case).await), [minutes(1)]);
}

pub async fn a_tick_makes_one_job_however_many_fire_it_at_once(case: &Case) {
    let new = schedule("a", &*case.clock);
    add(case, new.clone()).await;
    for tick in 1..=5 {
        case.clock.advance(MINUTE);
        let answers = futures::future::join_all((0..8).map(|_| fire(case))).await;
        let jobs: Vec<_> = answers.into_iter().flat_map(|fired| fired.jobs).collect();
        assert_eq!(jobs.len(), 1);
        assert_eq!(jobs[0].tick, minutes(tick));
    }
    let all = case.stores.jobs.jobs(&new.tenant, &JobFilter::default(), None, 100).await.unwrap();
    assert_eq!(all.len(), 5);
}

pub async fn each_tick_makes_a_job_of_its_own(case: &Case) {
    add(case, schedule("a", &*case.clock)).await;
    add(case, schedule("b", &*case.clock)).await;
    let mut jobs = std::collections::BTreeSet::new();
    for _ in 0..3 {
        case.clock.advance(MINUTE);
        jobs.extend(fire(case).await.jobs.iter().map(|one| one.job.job()));
    }
    assert_eq!(jobs.len(), 6);
}

pub async fn a_paused_schedule_makes_no_job_and_goes_on_when_it_is_resumed(case: &Case) {
    let new = schedule("a", &*case.clock);
    add(case, new.clone()).await;
    let control = async |request| {
        let store = &case.stores.schedules;
        store.control_schedule(&new.tenant, &new.name, request).await.unwrap().unwrap()
    };
    let paused = control(ScheduleControl::Pause).await;
    assert_eq!((paused.paused_at, paused.next_at), (Some(case.clock.now()), None));
    case.clock.advance(MINUTE * 10);
    assert_eq!(fire(case).await, FiredAll::default());
    assert_eq!(control(ScheduleControl::Pause).await, paused);
    case.clock.advance(Duration::from_secs(10));
    let resumed = control(ScheduleControl::Resume).await;
    // On the same grid as before, and nothing of the pause was missed.
    assert_eq!((resumed.paused_at, resumed.next_at), (None, Some(minutes(11))));
    case.clock.advance(MINUTE);
    assert_eq!(ticks(&fire(case).await), [minutes(11)]);
    let before = read(case, &new.name).await.unwrap();
    assert_eq!(control(ScheduleControl::Resume).await, before);
}

pub async fn a_removed_schedule_makes_no_job_and_its_jobs_stay(case: &Case) {
    let new = schedule("a", &*case.clock);
    add(case, new.clone()).await;
    case.clock.advance(MINUTE);
    let job = fire(case).await.jobs[0].job.job();
    let store = &case.stores.schedules;
    assert!(!store.remove_schedule(&tenant("globex"), &new.name).await.unwrap());
    assert!(store.remove_schedule(&new.tenant, &new.name).await.unwrap());
    assert!(!store.remove_schedule(&new.tenant, &new.name).await.unwrap());
    case.clock.advance(MINUTE);
    assert_eq!(fire(case).await, FiredAll::default());
    assert_eq!(case.status(job).await.spec.id, job);
    assert_eq!(read(case, &new.name).await, None);
    let request = ScheduleControl::Pause;
    assert_eq!(store.control_schedule(&new.tenant, &new.name, request).await.unwrap(), None);
}

pub async fn a_schedule_that_was_added_again_makes_jobs_of_its_own(case: &Case) {
    let jobs = async || {
        let new = schedule("a", &*case.clock);
        add(case, new.clone()).await;
        case.clock.advance(MINUTE);
        let fired = fire(case).await;
        assert!(case.stores.schedules.remove_schedule(&new.tenant, &new.name).await.unwrap());
        // The same instants once more, as after a clock that was set back.
        fired.jobs[0].job
    };
    let first = jobs().await;
    assert!(matches!(jobs().await, Submitted::Created(second) if second != first.job()));
}

pub async fn missed_ticks_go_by_the_policy(case: &Case) {
    for (name, missed) in [("s", Missed::Skip), ("o", Missed::Once), ("z", Missed::All)] {
        let mut new = schedule(name, &*case.clock);
        new.missed = missed;
        add(case, new).await;
    }
    case.clock.advance(MINUTE * 3 + LATE_FOR + Duration::from_secs(1));
    let fired = fire(case).await;
    let of = |name: &str| -> Vec<Timestamp> {
        let of_name = fired.jobs.iter().filter(|one| one.name.as_str() == name);
        of_name.map(|one| one.tick).collect()
    };
    assert_eq!(of("s"), []);
    assert_eq!(of("o"), [minutes(3)]);
    assert_eq!(of("z"), [1, 2, 3].map(minutes));
    let mut skipped: Vec<_> = fired.skipped.iter().map(|(_, name)| name.as_str()).collect();
    skipped.sort_unstable();
    assert_eq!(skipped, ["o", "s"]);
    for name in ["s", "o", "z"] {
        let name = ScheduleName::try_new(name).unwrap();
        assert_eq!(read(case, &name).await.unwrap().next_at, Some(minutes(4)));
    }
}

pub async fn many_missed_ticks_come_in_batches(case: &Case) {
    let mut new = schedule("a", &*case.clock);
    new.missed = Missed::All;
    add(case, new).await;
    case.clock.advance(MINUTE * 260 + LATE_FOR * 3 / 2);
    let mut sizes = Vec::new();
    let mut all = Vec::new();
    loop {
        let fired = case.stores.schedules.fire_schedules(100).await.unwrap();
        if fired.jobs.is_empty() {
            break;
        }
        sizes.push(fired.jobs.len());
        all.extend(ticks(&fired));
    }
    assert_eq!(sizes, [BATCH_MAX, BATCH_MAX, 60]);
    assert_eq!(all, (1..=260).map(minutes).collect::<Vec<_>>());
}

pub async fn a_bounded_firing_takes_the_earliest_first(case: &Case) {
    for (name, secs) in [("b", 20), ("a", 30), ("c", 10)] {
        let mut new = schedule(name, &*case.clock);
        new.cadence = every(Duration::from_secs(secs));
        add(case, new).await;
    }
    case.clock.advance(Duration::from_secs(30));
    let fired = case.stores.schedules.fire_schedules(1).await.unwrap();
    assert!(fired.jobs.iter().all(|one| one.name.as_str() == "c"));
    let fired = case.stores.schedules.fire_schedules(1).await.unwrap();
    assert!(fired.jobs.iter().all(|one| one.name.as_str() == "b"));
    assert_eq!(fired.jobs.len(), 1);
}

pub async fn a_peek_flags_ticks_that_are_due_and_says_when_the_next_one_is(case: &Case) {
    let peek = async || case.peek().await;
    let before = peek().await;
    assert_eq!((before.tick_due, before.next_tick_at), (false, None));
    let new = schedule("a", &*case.clock);
    add(case, new.clone()).await;
    let waiting = peek().await;
    assert_eq!((waiting.tick_due, waiting.next_tick_at), (false, Some(minutes(1))));
    case.clock.advance(MINUTE);
    assert!(peek().await.tick_due);
    fire(case).await;
    let fired = peek().await;
    assert_eq!((fired.tick_due, fired.next_tick_at), (false, Some(minutes(2))));
    let pause = ScheduleControl::Pause;
    case.stores.schedules.control_schedule(&new.tenant, &new.name, pause).await.unwrap();
    assert_eq!(peek().await.next_tick_at, None);
}
