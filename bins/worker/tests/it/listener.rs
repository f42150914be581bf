//! Health, readiness and metrics, and what a service manager is told.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::os::unix::net::UnixDatagram;

use rustix::process::Signal;

use crate::place::Place;

/// An address that nobody listens to at the moment.
fn address() -> SocketAddr {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap()
}

/// The status and the body of a page.
fn get(address: SocketAddr, method: &str, path: &str) -> (u16, String) {
    let mut stream = TcpStream::connect(address).unwrap();
    let request = format!("{method} {path} HTTP/1.1\r\nHost: worker\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).unwrap();
    let mut response = String::new();
    stream.read_to_string(&mut response).unwrap();
    let (head, body) = response.split_once("\r\n\r\n").unwrap();
    (head.split(' ').nth(1).unwrap().parse().unwrap(), body.to_owned())
}

#[test]
fn a_worker_tells_of_its_health_and_its_metrics_where_it_was_told_to() {
    let (place, address) = (Place::new(), address());
    let listen = address.to_string();
    let variables = [
        ("KOINON_WORKER__LISTEN", listen.as_str()),
        ("KOINON_OPERATIONS__ADMISSION__WORKER_CAPACITY", "3"),
    ];
    let mut worker = place.start(&[], &variables);
    worker.says("started");

    assert_eq!(get(address, "GET", "/healthz"), (200, "ok\n".to_owned()));
    let mut ready = get(address, "GET", "/readyz");
    while ready.0 == 503 {
        assert_eq!(ready.1, "no database answers\nprimary unavailable\n", "before the first look");
        ready = get(address, "GET", "/readyz");
    }
    assert_eq!(ready, (200, "ready\nprimary available\n".to_owned()));
    let (status, metrics) = get(address, "GET", "/metrics");
    assert_eq!(status, 200);
    for line in [
        "koinon_permits 3",
        "koinon_permits_free 3",
        "koinon_permits_waiting 0",
        "koinon_draining 0",
        "koinon_calls_total 0",
        r#"koinon_datasource_up{datasource="primary"} 1"#,
        r#"koinon_queue_running{datasource="primary",queue="dataset"} 0"#,
        r#"koinon_queue_capacity{datasource="primary",queue="dataset"} 3"#,
        r#"koinon_datasource_available{datasource="primary"} 1"#,
        r#"koinon_backlog_jobs{datasource="primary",queue="dataset",standing="ready"} 0"#,
        r#"koinon_backlog_jobs{datasource="primary",queue="dataset",standing="blocked"} 0"#,
        "koinon_backlog_process_capacity 3",
    ] {
        assert!(metrics.lines().any(|found| found == line), "{line} is missing in\n{metrics}");
    }
    assert_eq!(get(address, "GET", "/v1/jobs").0, 404);
    assert_eq!(get(address, "POST", "/healthz").0, 405);

    let second = place.run(&[], &variables);
    assert_eq!(second.code, Some(2));
    assert!(second.stderr.contains("error[usage]: worker.listen = "), "{second:?}");
    worker.signal(Signal::TERM);
    assert_eq!(worker.ended().code, Some(0));
}

#[test]
fn a_service_manager_is_told_of_the_start_of_the_end_and_that_it_lives() {
    let place = Place::new();
    let socket = place.path("notify");
    let manager = UnixDatagram::bind(&socket).unwrap();
    let variables = [("NOTIFY_SOCKET", socket.to_str().unwrap()), ("WATCHDOG_USEC", "200000")];
    let worker = place.start(&[], &variables);
    let told = || {
        let mut bytes = [0; 1000];
        let count = manager.recv(&mut bytes).unwrap();
        String::from_utf8(bytes[..count].to_vec()).unwrap()
    };
    let mut before = Vec::new();
    while !before.contains(&"READY=1".to_owned()) || !before.contains(&"WATCHDOG=1".to_owned()) {
        before.push(told().trim().to_owned());
    }
    worker.signal(Signal::TERM);
    let stopping = loop {
        let told = told();
        if told.contains("STOPPING=1") {
            break told;
        }
        assert_eq!(told.trim(), "WATCHDOG=1");
    };
    // 25 s to drain, 5 s to flush, and 2 s.
    assert!(stopping.contains("EXTEND_TIMEOUT_USEC=32000000"), "{stopping}");
    assert_eq!(worker.ended().code, Some(0));
}
