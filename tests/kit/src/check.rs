//! The invariants that hold over every job at every instant, read through the ports alone.

use std::collections::{BTreeMap, BTreeSet};

use koinon_budget::Balance;
use koinon_domain::{Event, EventName, EventSeq, HoldId, JobId, State, TenantId};
use koinon_store::{Entry, EntryKind, JobStatus, Run};

use crate::Stores;

const PAGE: u32 = 7;

/// Holds a job against the invariants: a history without gaps that leads to the present state, one
/// terminal event for each end, accumulators that are the sum of the ledger, holds that end once, one
/// usable answer for a call.
pub async fn check_job(stores: &Stores, tenant: &TenantId, job: JobId) {
    let status = stores.jobs.job(tenant, job).await.unwrap().expect("the job exists");
    let events = all_events(stores, tenant, job).await;
    let entries = all_entries(stores, tenant, job).await;
    check_identity(&status);
    check_events(&status.run, &events);
    check_run(&status.run);
    check_ledger(&status.run, &entries);
}

async fn all_events(stores: &Stores, tenant: &TenantId, job: JobId) -> Vec<Event> {
    let mut events: Vec<Event> = Vec::new();
    loop {
        let after = events.last().map_or(EventSeq::ZERO, |event| event.seq);
        let page = stores.jobs.events(tenant, job, after, PAGE).await.unwrap();
        if page.is_empty() {
            return events;
        }
        events.extend(page);
    }
}

async fn all_entries(stores: &Stores, tenant: &TenantId, job: JobId) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    loop {
        let skip = entries.len() as u64;
        let page = stores.ledger.entries(tenant, job, skip, PAGE).await.unwrap();
        if page.is_empty() {
            return entries;
        }
        entries.extend(page);
    }
}

fn check_identity(status: &JobStatus) {
    let (spec, run) = (&status.spec, &status.run);
    assert_eq!((spec.id, &spec.tenant, &spec.queue), (run.job, &run.tenant, &run.queue));
    assert_eq!((spec.priority, spec.max_attempts), (run.priority, run.max_attempts));
}

fn check_events(run: &Run, events: &[Event]) {
    let mut state = None;
    let mut ends = 0;
    let mut live = true;
    for (event, seq) in events.iter().zip(1..) {
        assert_eq!(event.seq, EventSeq::new(seq), "the history of {} has a gap", run.job);
        if let EventName::Transition(cause) = &event.name {
            assert_eq!(event.from, state, "event {seq} of {} begins elsewhere", run.job);
            let next = event.from.unwrap().after(*cause).expect("a transition of the table");
            assert_eq!(event.to, Some(next), "event {seq} of {} ends elsewhere", run.job);
        }
        if let Some(to) = event.to {
            assert!(live || !to.is_terminal(), "{} ends twice in a row", run.job);
            live = !to.is_terminal();
            ends += u32::from(to.is_terminal());
            state = Some(to);
        }
    }
    assert!(events.is_sorted_by_key(|event| event.at), "time went backwards for {}", run.job);
    assert!(events.is_sorted_by_key(|event| event.generation), "a generation of {} fell", run.job);
    assert_eq!(events.first().map(|event| &event.name), Some(&EventName::Submitted));
    assert_eq!(run.event_seq, events.last().expect("a job is submitted").seq);
    assert_eq!(state, Some(run.state));
    assert!(ends > 0 || !run.state.is_terminal());
}

fn check_run(run: &Run) {
    assert_eq!(run.lease.is_some(), run.state.is_held(), "{} and its lease differ", run.job);
    assert_eq!(run.ended_at.is_some(), run.state.is_terminal(), "{} and its end differ", run.job);
    assert_eq!(run.manifest.is_some(), run.state == State::Succeeded);
    if let Some((generation, _)) = run.last_commit {
        assert!(generation <= run.generation);
    }
}

fn check_ledger(run: &Run, entries: &[Entry]) {
    let mut balance = Balance::default();
    let mut holds: BTreeMap<HoldId, &Entry> = BTreeMap::new();
    let mut answered = BTreeSet::new();
    for entry in entries {
        let last = holds.insert(entry.hold, entry).map(|last| last.kind);
        let held = entries.iter().find(|one| one.hold == entry.hold).unwrap().amounts;
        match (last, entry.kind) {
            (None, EntryKind::Reserved) => balance.reserve(entry.amounts),
            (Some(EntryKind::Reserved), EntryKind::Settled | EntryKind::Released) => {
                balance.settle(held, entry.amounts);
            }
            (Some(EntryKind::Reserved), EntryKind::InDoubt) => balance.doubt(entry.amounts),
            (Some(EntryKind::InDoubt), EntryKind::Reconciled) => {
                balance.reconcile(held, entry.amounts);
            }
            (last, now) => panic!("a hold of {} went from {last:?} to {now:?}", run.job),
        }
        assert!(
            !entry.usable || answered.insert(&entry.call),
            "a call of {} has two usable answers",
            run.job
        );
    }
    assert_eq!(run.balance.spent, balance.spent, "spent of {}", run.job);
    assert_eq!(run.balance.reserved, balance.reserved, "reserved of {}", run.job);
    assert_eq!(run.balance.in_doubt, balance.in_doubt, "in doubt of {}", run.job);
    let open = holds.values().filter(|last| last.kind == EntryKind::Reserved).count();
    assert_eq!(run.open_holds as usize, open, "open holds of {}", run.job);
}
