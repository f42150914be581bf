//! Claims that cannot be read.

use koinon_domain::{EventSeq, Kind, State, WorkerId};
use koinon_kit::{LEASE, job};
use koinon_store::{
    ClaimRequest, Clock as _, Error, JobStore as _, LeaseStore as _, RunningLimits, Scope,
    SystemClock,
};

use crate::harness::{Place, run};

#[tokio::test]
async fn a_claim_whose_own_row_cannot_be_read_is_given_back_uncharged_and_set_aside() {
    let clock = SystemClock::new();
    for starts in [Vec::new(), vec![Kind::try_new("report").unwrap()]] {
        let place = Place::new().await;
        let store = place.open().await;
        let submission = job().build(&clock);
        let (tenant, id) = (submission.job.tenant.clone(), submission.job.id);
        store.submit(vec![submission]).await.unwrap();
        let mut database = place.raw().await;
        run(&mut database, "UPDATE runs SET interruptions = -1").await.unwrap();
        let request = ClaimRequest {
            owner: WorkerId::from_uuid(clock.uuid()),
            scope: Scope::Job(id),
            limit: 1,
            running: RunningLimits::NONE,
            lease_for: LEASE,
            starts: starts.clone(),
        };

        let (claimed, loaded) = store.take(&request).await.unwrap().pop().unwrap();

        assert_eq!(claimed.job, id);
        assert!(matches!(loaded, Err(Error::Corrupt { .. })), "{loaded:?}");
        run(&mut database, "UPDATE runs SET interruptions = 0").await.unwrap();
        let stands = store.job(&tenant, id).await.unwrap().unwrap().run;
        assert_eq!((stands.state, stands.attempt.get()), (State::Queued, 0));
        assert!(stands.set_aside_at.is_some() && stands.lease.is_none());
        let events = store.events(&tenant, id, EventSeq::ZERO, 100).await.unwrap();
        let states: Vec<_> = events.iter().filter_map(|event| event.to).collect();
        let before = events.iter().filter(|event| event.to.is_some()).map(|event| event.from);
        let follows: Vec<_> =
            std::iter::once(None).chain(states.iter().copied().map(Some)).collect();
        assert_eq!(
            before.collect::<Vec<_>>(),
            follows[..states.len()],
            "each follows the one before"
        );
        assert_eq!(states.contains(&State::Running), !starts.is_empty());
        let numbers: Vec<_> = events.iter().map(|event| event.seq.get()).collect();
        assert_eq!(numbers, (1..=stands.event_seq.get()).collect::<Vec<_>>());
        assert_eq!(events.last().unwrap().name.as_str(), "set_aside");
        store.close().await;
    }
}
