//! Text that databases disagree about: U+0000, lone surrogates, numbers above 2^53, keys that stand twice,
//! messages of many megabytes. The outcome is the same on each store, and the job always comes to an end.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::sync::Mutex;
use std::time::Duration;

use koinon_e2e::{Asked, Audit, Dataset, Koinon, Reply, Server, Store};
use serde_json::{Value, json};

const DEADLINE: Duration = Duration::from_secs(120);

/// Documents with everything that a text can have.
fn write_documents(koinon: &Koinon) {
    let prose =
        "The quiet river follows the narrow valley. The old mill stands beside it. ".repeat(9);
    koinon.write("docs/nul.md", format!("# Mills\n\nA zero \0 here. {prose}"));
    koinon.write("docs/controls.txt", format!("\u{1}\u{7f}\u{85}\u{2028} {prose}\u{fffe}\u{ffff}"));
    let twice = format!(
        r#"{{"title": "one", "title": "two", "big": 9007199254740993, "text": "{prose}"}}"#
    );
    koinon.write("docs/twice.json", twice);
    let lone = format!(r#"{{"lone": "\ud800", "nul": "\u0000", "text": "{prose}"}}"#);
    koinon.write("docs/lone.json", lone);
    koinon.write(
        "docs/table.csv",
        format!("name,says\n\"a\0b\",\"{prose}\"\n123456789012345678901,x\n"),
    );
    koinon.write("docs/line\nbreak\u{7f}.md", &prose);
    let folder = koinon.path("docs");
    std::fs::write(folder.join(OsStr::from_bytes(b"\xff\xfe.md")), &prose).unwrap();
}

/// Answers the first request for each passage oddly while there is another odd answer, and then as it should.
fn odd_at_first() -> impl Fn(&Asked) -> Reply + Send + Sync + 'static {
    let seen: Mutex<BTreeMap<String, usize>> = Mutex::default();
    move |asked: &Asked| {
        let mut seen = seen.lock().unwrap();
        let number = seen.len();
        let is_new = seen.insert(asked.passage.clone(), number).is_none();
        let odd = is_new.then(|| odd_replies(asked).into_iter().nth(number)).flatten();
        odd.unwrap_or_else(|| Reply::answer(asked))
    }
}

fn odd_replies(asked: &Asked) -> Vec<Reply> {
    let sentence = koinon_e2e::first_sentence(&asked.passage);
    let with = |question: &str| {
        let text = json!({"question": question, "answer": sentence, "quote": sentence});
        Reply::completion(asked, &text, &json!({"prompt_tokens": 400, "completion_tokens": 60}))
    };
    let body = |content: &str, usage: &str| {
        let choice = format!(r#"{{"message": {{"content": {content}}}, "finish_reason": "stop"}}"#);
        Reply::body(&format!(r#"{{"id": "a\u0000b", "choices": [{choice}], "usage": {usage}}}"#))
    };
    let usage = r#"{"prompt_tokens": 9007199254740993, "completion_tokens": 18446744073709551615}"#;
    let twice = r#"{"prompt_tokens": 1, "prompt_tokens": 400, "completion_tokens": 60}"#;
    let good = json!(koinon_e2e::answer_to(&asked.passage).to_string()).to_string();
    vec![
        with("What does \0 it say?"),
        with("What does it \u{202e}say\u{ffff}?\n"),
        body(r#""\ud800""#, twice),
        body(r#""{\"question\": \"\\ud800\", \"answer\": \"\\u0000\"}""#, twice),
        body(&good, usage),
        body(&good, twice),
        body(&good, r#"{"prompt_tokens": 1e400, "completion_tokens": -1}"#),
        Reply::status(200, &[], "\0"),
    ]
}

/// What a job left behind, without what is another one in each run.
async fn left_behind(koinon: &Koinon, mut report: Value) -> (Value, Vec<String>, Vec<String>) {
    for field in ["job_id", "submitted_at", "ended_at"] {
        report[field] = Value::Null;
    }
    let audit = Audit::of(koinon).await;
    let event = |name: &str, detail: &str| {
        let detail: BTreeMap<String, Value> = serde_json::from_str(detail).unwrap();
        let told = detail.into_iter().filter(|(key, _)| key != "worker" && key != "hold");
        format!("{name} {:?}", told.collect::<Vec<_>>())
    };
    // Items that run at once may finish in another order.
    let mut events: Vec<_> = audit.events.iter().map(|one| event(&one.name, &one.detail)).collect();
    events.sort();
    let entry = |one: &koinon_e2e::Entry| {
        format!("{} {} {} {:?} {}", one.kind, one.call, one.retry, one.amounts, one.usable)
    };
    (report, events, audit.ledger.iter().map(entry).collect())
}

#[tokio::test(flavor = "multi_thread")]
async fn odd_documents_and_odd_answers_make_the_same_rows_on_each_store() {
    let mut all = Vec::new();
    for store in [Store::Sqlite, Store::Postgres] {
        let (koinon, server) = (Koinon::on(store), Server::start(odd_at_first()).await);
        write_documents(&koinon);
        koinon_e2e::corpus(&koinon.path("docs"), 10);
        let args = Koinon::dataset(&server, &["--set", "target=20", "--set", "concurrency=1"]);
        let ended = koinon.start(&args).ended_within(DEADLINE).await;
        let report = ended.json_with_code(0);
        assert!(server.count() > 8, "too few requests to show anything: {report:#}");
        let files = Dataset::read(&koinon, "out").files;
        let again = koinon.run(&args).await.json_with_code(0);
        assert_eq!(again["calls_this_run"], 0);
        let job = koinon.job().await;
        for verb in ["status", "events", "cost"] {
            let _shown = koinon.run(&["job", verb, &job, "--json"]).await.with_code(0);
        }
        all.push((files, left_behind(&koinon, report).await));
    }
    let (on_postgres, on_sqlite) = (all.pop().unwrap(), all.pop().unwrap());
    assert_eq!(on_postgres.1, on_sqlite.1);
    assert_eq!(on_postgres.0, on_sqlite.0, "other bytes");
}

/// What a provider says, and how.
type Case = (&'static str, fn() -> Reply);

#[tokio::test(flavor = "multi_thread")]
async fn an_error_of_many_megabytes_with_odd_text_ends_the_job_alike_on_each_store() {
    let replies: [Case; 3] = [
        ("a long message", || {
            let message = "x\0y".repeat(1_000_000);
            let body = json!({"error": {"message": message, "code": "in\0valid\u{1}_thing"}});
            Reply::status(400, &[], &body.to_string())
        }),
        ("a lone surrogate", || {
            Reply::status(400, &[], r#"{"error": {"message": "\ud800", "code": "\udfff"}}"#)
        }),
        ("more than is read", || Reply::status(401, &[], &"\0".repeat(10_000_000))),
    ];
    for (what, reply) in replies {
        let mut all = Vec::new();
        for store in [Store::Sqlite, Store::Postgres] {
            let (koinon, server) =
                (Koinon::on(store).having_corpus(3), Server::start(move |_| reply()).await);
            let args = Koinon::dataset(&server, &["--set", "target=3", "--set", "concurrency=1"]);
            let report = koinon.start(&args).ended_within(DEADLINE).await.json_with_code(1);
            assert_eq!(report["state"], "failed", "{what}: {report:#}");
            let summary = "SELECT error_code || ': ' || error_summary FROM standings";
            let said = koinon.place().ask(summary, summary).await;
            all.push((said, left_behind(&koinon, report).await));
        }
        assert_eq!(all[0], all[1], "{what}");
    }
}

async fn a_name_with_a_control_character_is_a_usage_error(store: Store) {
    let (koinon, server) = (Koinon::on(store).having_corpus(3), Server::answering().await);
    for (flag, name) in [("--project", "a\u{1}b"), ("--project", "a\nb"), ("--key", "a\u{85}b")] {
        let ended = koinon.run(&Koinon::dataset(&server, &[flag, name])).await;
        let is_refused = ended.code == Some(2) && ended.stderr.contains("control characters");
        // A key is only hashed, so each text is as good as another.
        assert!(is_refused || (flag == "--key" && ended.code == Some(0)), "{ended}");
    }
    let listed = koinon.run(&["job", "list", "--project", "a\u{1}b"]).await.with_code(2);
    assert!(listed.stderr.contains("control characters"), "{listed}");
}

on_each_store! {
    a_name_with_a_control_character_is_a_usage_error
}
