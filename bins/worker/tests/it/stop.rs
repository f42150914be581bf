//! The end of a worker that has nothing to do.

use rustix::process::Signal;

use crate::place::Place;

#[test]
fn either_signal_ends_an_idle_worker_with_success() {
    for signal in [Signal::TERM, Signal::INT] {
        let place = Place::new();
        let mut worker = place.start(&[], &[("KOINON_PROCESS_ROLE", "worker")]);
        worker.says("started");
        worker.signal(signal);
        let ended = worker.ended();
        assert_eq!(ended.code, Some(0), "{ended:?}");
    }
}
