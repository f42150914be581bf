//! Connections to the database die, in every way that they can, and the process goes on.

use std::time::Duration;

use koinon_cluster::Cluster;
use koinon_e2e::{Audit, Cut, Koinon, Place, Proxy, Reply, Server};

const ITEMS: usize = 60;

/// Long enough for the slowest: a connection that says nothing is given up after half a minute.
const PATIENCE: Duration = Duration::from_secs(240);

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_whose_connections_die_goes_on_and_does_nothing_twice() {
    let database = Cluster::shared().unwrap().empty().unwrap();
    let proxy = Proxy::before(&database.url()).await;
    let koinon = Koinon::at(Place::at(proxy.url(&database.url()))).having_corpus(ITEMS);
    let server =
        Server::start(|asked| Reply::answer(asked).after(Duration::from_millis(100))).await;
    let args = Koinon::dataset(&server, &["--set", &format!("target={ITEMS}")]);

    let process = koinon.start(&args);
    for (answered, how) in
        [(4, Cut::Reset), (12, Cut::InAnAnswer), (20, Cut::Silence), (36, Cut::Reset)]
    {
        server.until_answered(answered).await;
        assert!(proxy.cut(how) > 0, "there is nothing to cut");
    }
    let report = process.ended_within(PATIENCE).await.json_with_code(0);

    assert_eq!(report["state"], "succeeded", "{report}");
    assert_eq!(server.count(), ITEMS, "no call was sent twice");
    let audit = Audit::of(&koinon).await;
    assert_eq!(audit.items_of("generate"), ITEMS);
    assert_eq!((audit.standing.lease_losses, audit.standing.generation), (0, 1));
}
