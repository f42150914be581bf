//! Evidence in which nothing is wrong: a job that lost one worker, whose call is in doubt since, and that
//! then succeeded with one call.

use serde_json::json;

use crate::chaos::evidence::{Evidence, Request};
use crate::chaos::tables::{Artifact, Checkpoint, Entry, Event, Record, Standing};

/// The job.
pub(super) const JOB: &str = "00000000000000000000000000000001";

pub(super) fn event(seq: i64, name: &str, from: Option<&str>, to: Option<&str>) -> Event {
    Event {
        job_id: JOB.to_owned(),
        seq,
        at: 10 * seq,
        generation: if seq > 3 { 3 } else { 1 },
        name: name.to_owned(),
        from_state: from.map(str::to_owned),
        to_state: to.map(str::to_owned),
        detail: json!({"stage": "s", "item": "i"}),
    }
}

pub(super) fn entry(hold: &str, kind: &str, at: i64) -> Entry {
    let is_settled = kind == "settled";
    Entry {
        job_id: JOB.to_owned(),
        hold_id: hold.to_owned(),
        kind: kind.to_owned(),
        at,
        call: "aa".repeat(32),
        sample: 0,
        retry: 0,
        amounts: if is_settled { [3, 1, 4, 5] } else { [9, 1, 10, 10] },
        answer_digest: is_settled.then(|| "answer".to_owned()),
        usable: i64::from(is_settled),
    }
}

/// A request of the job's only call.
pub(super) fn request(at: i64) -> Request {
    Request { job: JOB.to_owned(), key: entry("any", "reserved", 0).key(), at }
}

pub(super) fn sound() -> Evidence {
    let record = Record {
        kind: "spend".to_owned(),
        runs: Vec::new(),
        outcomes: vec![standing()],
        events: vec![
            event(1, "submitted", None, Some("queued")),
            event(2, "claimed", Some("queued"), Some("running")),
            event(3, "lease_lost", Some("running"), Some("queued")),
            event(4, "claimed", Some("queued"), Some("leased")),
            event(5, "started", Some("leased"), Some("running")),
            event(6, "checkpointed", None, None),
            event(7, "succeeded", Some("running"), Some("succeeded")),
        ],
        ledger: vec![
            entry("two", "reserved", 25),
            entry("two", "in_doubt", 30),
            entry("one", "reserved", 50),
            entry("one", "settled", 60),
        ],
        checkpoints: vec![Checkpoint {
            job_id: JOB.to_owned(),
            stage: "s".to_owned(),
            version: 1,
            item: "i".to_owned(),
            input: "input".to_owned(),
            generation: 3,
            result_digest: Some("result".to_owned()),
        }],
    };
    Evidence {
        submitted: [JOB.to_owned()].into(),
        records: [(JOB.to_owned(), record)].into(),
        requests: vec![request(27), request(55)],
        blobs: ["answer", "result", "output"].map(str::to_owned).into(),
    }
}

fn standing() -> Standing {
    Standing {
        job_id: JOB.to_owned(),
        state: "succeeded".to_owned(),
        event_seq: 7,
        error_code: None,
        open_holds: 0,
        set_aside_at: None,
        limit: [None; 4],
        spent: [3, 1, 4, 5],
        reserved: [0; 4],
        in_doubt: [9, 1, 10, 10],
        manifest: Some(vec![Artifact { digest: "output".to_owned() }]),
    }
}
