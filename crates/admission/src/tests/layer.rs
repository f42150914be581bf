use std::convert::Infallible;
use std::future::poll_fn;
use std::sync::Arc;

use tokio::sync::Notify;
use tokio::task::JoinSet;
use tower::{Layer as _, Service as _, ServiceExt as _, service_fn};

use super::{bulkhead, settle};
use crate::layer::Error;
use crate::{AdmissionLayer, AdmissionService, Refused};

async fn echo(request: u32) -> Result<u32, Infallible> {
    Ok(request)
}

#[test]
fn the_service_can_be_shared_by_a_server() {
    fn shareable<T: Clone + Send + Sync + 'static>() {}
    shareable::<AdmissionService<()>>();
}

#[tokio::test(start_paused = true)]
async fn a_call_holds_its_permit_until_the_response_is_done() {
    let bulkhead = bulkhead(1);
    let gate = Arc::new(Notify::new());
    let opened = Arc::clone(&gate);
    let service = AdmissionLayer::new(bulkhead.clone()).layer(service_fn(move |request: u32| {
        let gate = Arc::clone(&opened);
        async move {
            gate.notified().await;
            Ok::<_, Infallible>(request)
        }
    }));
    let mut calls = JoinSet::new();
    calls.spawn(service.clone().oneshot(7));
    settle().await;
    assert_eq!(bulkhead.available(), 0);

    gate.notify_one();

    assert_eq!(calls.join_next().await.unwrap().unwrap().unwrap(), 7);
    assert_eq!(bulkhead.available(), 1);

    calls.spawn(service.oneshot(8));
    settle().await;
    calls.shutdown().await;
    assert_eq!(bulkhead.available(), 1);
}

#[tokio::test]
async fn poll_ready_reserves_and_a_clone_has_no_reservation() {
    let bulkhead = bulkhead(1);
    let mut service = AdmissionLayer::new(bulkhead.clone()).layer(service_fn(echo));

    poll_fn(|cx| service.poll_ready(cx)).await.unwrap();
    assert_eq!(bulkhead.available(), 0);

    assert!(matches!(service.clone().call(1).await, Err(Error::NotReady)));
    drop(service);
    assert_eq!(bulkhead.available(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_refused_call_never_reaches_the_inner_service() {
    let bulkhead = bulkhead(1);
    let _held = bulkhead.acquire().await.unwrap();
    let service = AdmissionLayer::new(bulkhead.clone()).layer(service_fn(echo));

    let timed_out = service.clone().oneshot(1).await;
    assert!(matches!(timed_out, Err(Error::Refused(Refused::TimedOut))));

    bulkhead.close();
    assert!(matches!(service.oneshot(1).await, Err(Error::Refused(Refused::Closed))));
}

#[tokio::test]
async fn a_service_may_be_called_again_after_a_failure() {
    let bulkhead = bulkhead(1);
    let mut service =
        AdmissionLayer::new(bulkhead.clone()).layer(service_fn(|request: u32| async move {
            if request == 0 { Err("no") } else { Ok(request) }
        }));

    let failed = service.ready().await.unwrap().call(0).await;
    assert!(matches!(failed, Err(Error::Inner("no"))));
    assert_eq!(bulkhead.available(), 1);
    assert_eq!(service.ready().await.unwrap().call(2).await.unwrap(), 2);
}
