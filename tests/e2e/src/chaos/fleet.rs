//! The workers, each in a place of its own; a place whose worker has ended gets another.

use std::collections::BTreeMap;
use std::os::unix::process::ExitStatusExt as _;
use std::process::ExitStatus;
use std::time::Duration;

use rustix::process::Signal;
use tokio::time::Instant;

use super::database::Database;
use super::proxy::{Cut, Proxy};
use crate::kit::{Kit, KitWorker};

/// A worker that does not drain ends nevertheless: `drain_for` and `flush_for` and two seconds are over by
/// then.
const DRAIN_FOR: Duration = Duration::from_secs(30);

/// The longest that a worker may take until it has begun, while nothing is done to it.
const START_FOR: Duration = Duration::from_secs(60);
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// The exit code of a program whose drain was cut.
const CUT: i32 = 1;

/// The exit code of a program that refused to start.
const REFUSED: i32 = 2;

/// What the workers did by themselves.
#[derive(Debug, Default)]
pub(super) struct Seen {
    /// Workers that a job killed.
    pub(super) aborts: usize,
    /// Workers that drained when they were told to, with everything settled or handed back.
    pub(super) drained: usize,
    /// Workers whose drain was cut by its hard deadline, as it is to be when the database is gone or others
    /// are in the way; recovery takes what they left.
    pub(super) cut: usize,
    /// Workers that refused to start, because the database server was gone or had cut them off.
    pub(super) refused: usize,
    /// Ends that nobody asked for, each with the last line of the worker's log.
    pub(super) surprises: Vec<String>,
}

#[derive(Debug)]
pub(super) struct Fleet {
    places: Vec<Place>,
    pub(super) seen: Seen,
}

#[derive(Debug)]
struct Place {
    worker: KitWorker,
    proxy: Option<Proxy>,
    url: Option<String>,
    doom: Doom,
}

/// What was done to a worker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Doom {
    None,
    Killed,
    Stopped {
        until: Instant,
    },
    Terminated,
    /// Told to end when everything was done and nothing in the way.
    Dismissed,
}

impl Fleet {
    /// Starts so many workers, each behind a proxy of its own where the database is a server.
    pub(super) async fn start(kit: &Kit, database: &Database, workers: usize) -> Self {
        let mut places = Vec::with_capacity(workers);
        for _ in 0..workers {
            let proxy = match database {
                Database::Sqlite(_) => None,
                Database::Postgres(cluster) => Some(Proxy::start(cluster.port()).await),
            };
            let url = proxy.as_ref().map(|proxy| database.url_at(proxy.port()));
            places.push(Place { worker: start(kit, url.as_deref()), proxy, url, doom: Doom::None });
        }
        Self { places, seen: Seen::default() }
    }

    /// Waits until all have begun. Nothing was done to them yet, so one that does not begin never will.
    pub(super) async fn until_started(&mut self) {
        for place in &mut self.places {
            let began = async {
                while place.worker.worker_id().is_none() && place.worker.ended().is_none() {
                    tokio::time::sleep(LOOK_EVERY).await;
                }
            };
            let in_time = tokio::time::timeout(START_FOR, began).await.is_ok();
            // It may have killed itself by now; but it has begun.
            let has_begun = in_time && place.worker.worker_id().is_some();
            assert!(has_begun, "a worker does not start: {}", last_line(place));
        }
    }

    /// Lets those go on that have been stopped for long enough, and starts others in place of those that
    /// have ended.
    pub(super) fn mend(&mut self, kit: &Kit) {
        for place in &mut self.places {
            if matches!(place.doom, Doom::Stopped { until } if Instant::now() >= until) {
                place.worker.signal(Signal::CONT);
                place.doom = Doom::None;
            }
            if let Some(status) = place.worker.ended() {
                self.seen.note(place, status);
                place.worker = start(kit, place.url.as_deref());
                place.doom = Doom::None;
            }
        }
    }

    /// Lets all go on.
    pub(super) fn release(&mut self) {
        for place in &mut self.places {
            if matches!(place.doom, Doom::Stopped { .. }) {
                place.worker.signal(Signal::CONT);
                place.doom = Doom::None;
            }
        }
    }

    /// The places of the workers that have a lease, as the database says, and to whom nothing was done yet.
    pub(super) fn holders(&mut self, leases: &BTreeMap<String, i64>) -> Vec<usize> {
        let mut holders = Vec::new();
        for (at, place) in self.places.iter_mut().enumerate() {
            let is_free = place.doom == Doom::None && place.worker.ended().is_none();
            let has_lease = place.worker.worker_id().is_some_and(|id| leases.contains_key(id));
            if is_free && has_lease {
                holders.push(at);
            }
        }
        holders
    }

    /// Each of these says whether the worker was still there.
    pub(super) fn kill(&mut self, at: usize) -> bool {
        self.doom(at, Signal::KILL, Doom::Killed)
    }

    pub(super) fn stop(&mut self, at: usize, time: Duration) -> bool {
        self.doom(at, Signal::STOP, Doom::Stopped { until: Instant::now() + time })
    }

    pub(super) fn terminate(&mut self, at: usize) -> bool {
        self.doom(at, Signal::TERM, Doom::Terminated)
    }

    /// Cuts the connections of a worker; says whether it had any.
    pub(super) fn cut(&self, at: usize, how: Cut) -> bool {
        self.places[at].proxy.as_ref().is_some_and(|proxy| proxy.cut(how) > 0)
    }

    pub(super) const fn count(&self) -> usize {
        self.places.len()
    }

    /// Tells all to drain, and waits for their end.
    pub(super) async fn drain(&mut self) {
        for place in &mut self.places {
            if place.worker.signal(Signal::TERM) {
                place.doom = Doom::Dismissed;
            }
        }
        for place in &mut self.places {
            let Ok(status) = tokio::time::timeout(DRAIN_FOR, place.worker.end()).await else {
                self.seen.surprises.push(format!("a worker did not end: {}", last_line(place)));
                continue;
            };
            self.seen.note(place, status);
        }
    }

    fn doom(&mut self, at: usize, signal: Signal, doom: Doom) -> bool {
        let place = &mut self.places[at];
        let is_there = place.worker.ended().is_none() && place.worker.signal(signal);
        if is_there {
            place.doom = doom;
        }
        is_there
    }
}

impl Seen {
    fn note(&mut self, place: &mut Place, status: ExitStatus) {
        let was_killed = status.signal() == Some(Signal::KILL.as_raw());
        let has_refused = place.refused_to_start(status);
        match place.doom {
            Doom::Killed if was_killed => {}
            // A job that kills its worker may be faster than anything that was meant for it.
            _ if was_killed => self.aborts += 1,
            Doom::Terminated | Doom::Dismissed if status.success() => self.drained += 1,
            Doom::Terminated if status.code() == Some(CUT) => self.cut += 1,
            // Whoever keeps workers running starts it again.
            _ if has_refused => self.refused += 1,
            doom => {
                let said = last_line(place);
                self.surprises.push(format!("a worker ended with {status} ({doom:?}): {said}"));
            }
        }
    }
}

impl Place {
    /// Whether it ended before it had begun, as it is to do while the server does not answer.
    fn refused_to_start(&mut self, status: ExitStatus) -> bool {
        let has_server = self.proxy.is_some();
        has_server && status.code() == Some(REFUSED) && self.worker.worker_id().is_none()
    }
}

fn start(kit: &Kit, url: Option<&str>) -> KitWorker {
    match url {
        None => kit.work(&[]),
        Some(url) => kit.work(&[("KOINON_DATABASE__URL", url)]),
    }
}

fn last_line(place: &Place) -> String {
    place.worker.log().lines().last().unwrap_or("it said nothing").to_owned()
}
