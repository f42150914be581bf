//! Text and numbers at their ends.

use std::time::Duration;

use koinon_budget::{Amounts, Limits, NanoUsd, Profile, Usage};
use koinon_domain::{Authority, Digest, ErrorCode, Failed, ItemKey, Progress, State};
use koinon_store::{
    Artifact, CheckpointKey, End, Error, HoldOutcome, Manifest, Stored, Submission, Submitted,
};

use crate::{Case, commit, job, key, stage};

const ODD: &str = "quote ' double \" back \\ percent % _ zürich 東京 👩‍👩‍👧 \u{202e}rtl e\u{301} \u{fffd} $1 ?1 :x @y";

pub async fn a_payload_reads_back_byte_by_byte(case: &Case) {
    let payloads = [
        format!(r#"{{"text":"{}"}}"#, ODD.replace('\\', r"\\").replace('"', r#"\""#)),
        r#"{"big":9007199254740993, "twice":1, "twice":2, "nul":"\u0000", "lone":"\ud800"}"#
            .to_owned(),
        format!("[{}]", "0,".repeat(100_000).trim_end_matches(',')),
    ];
    for payload in payloads {
        let id = case.submit(job().payload(payload.clone())).await;
        assert_eq!(case.status(id).await.spec.payload, payload.as_bytes());
    }
}

pub async fn a_note_reads_back_as_it_was_told(case: &Case) {
    let held = case.running(job()).await;
    case.applied(commit(&held).note("source_skipped", &[("path", ODD), ("empty", "")])).await;
    let event = case.events(held.job).await.pop().unwrap();
    assert_eq!(event.name.as_str(), "source_skipped");
    assert_eq!((event.detail["path"].as_str(), event.detail["empty"].as_str()), (ODD, ""));
    assert_eq!(event.from, None);
    assert_eq!(event.to, None);
}

pub async fn a_note_under_a_known_name_is_that_event(case: &Case) {
    let held = case.running(job()).await;
    case.applied(commit(&held).note("input_changed", &[("stage", "parse")])).await;
    let event = case.events(held.job).await.pop().unwrap();
    assert_eq!(event.name, koinon_domain::EventName::InputChanged);
}

pub async fn names_with_odd_characters_read_back(case: &Case) {
    let id = case.submit(job().tenant(ODD).project(ODD)).await;
    assert_eq!(case.status(id).await.spec.tenant.as_str(), ODD);
    let held = case.take(id).await;
    let odd = CheckpointKey { item: Some(ItemKey::try_new(ODD).unwrap()), ..key("generate", "a") };
    let sent = commit(&held).start().checkpoint_at(odd.clone(), Stored::Inline(ODD.into()));
    case.applied(sent).await;
    assert_eq!(case.checkpoints(id, &stage("generate")).await[0].key, odd);
}

pub async fn an_error_message_of_any_size_still_moves_the_state_on(case: &Case) {
    let held = case.running(job()).await;
    let huge = format!("{}\0{}", ODD, "x".repeat(10_000_000));
    let failed = Failed::new(ErrorCode::foreign("weird\0code"), &huge);
    case.applied(commit(&held).end(End::Failed(failed.clone()))).await;
    assert_eq!(case.run(held.job).await.failed, Some(failed));
}

pub async fn what_a_worker_tells_loses_its_control_characters(case: &Case) {
    let held = case.running(job()).await;
    let mut hold = case.hold("a", "0.1");
    hold.priced.provider = "fa\0ke\u{1}".to_owned();
    hold.priced.model = "\0fake\n1".to_owned();
    let mut told = commit(&held).hold(&hold).note("no\0te", &[("ke\0y", "va\0l\u{85}ue")]).build();
    let unit = "fi\0les".to_owned();
    told.progress = Some(Progress { stage: stage("generate"), done: 1, total: 2, unit });
    case.applied(told).await;
    case.applied(commit(&held).settle(hold.id, "0.1")).await;
    let artifact = Artifact {
        name: "rows\0.jsonl".into(),
        media_type: "text/\0plain".into(),
        size_bytes: 1,
        digest: Digest::of(b"a"),
    };
    let manifest = Manifest { artifacts: vec![artifact], summary: b"\0{\xff}".to_vec() };
    case.applied(commit(&held).end(End::Succeeded(manifest))).await;

    let run = case.run(held.job).await;
    assert_eq!((run.state, run.progress.unwrap().unit.as_str()), (State::Succeeded, "files"));
    let manifest = run.manifest.unwrap();
    let artifact = &manifest.artifacts[0];
    assert_eq!((&*artifact.name, &*artifact.media_type), ("rows.jsonl", "text/plain"));
    assert_eq!(manifest.summary, b"\0{\xff}", "bytes are kept as they are");
    let priced = &case.entries(held.job).await[0].priced;
    assert_eq!((&*priced.provider, &*priced.model), ("fake", "fake 1"));
    let events = case.events(held.job).await;
    let note = events.iter().find(|event| event.name.as_str() == "note").unwrap();
    assert_eq!(note.detail["key"], "value");
}

/// An authority whose first text is this one, and so on.
fn acting_as(case: &Case, texts: [&str; 5]) -> Submission {
    let mut submission = job().build(&*case.clock);
    let [principal, credential, scope, model, revision] = texts.map(str::to_owned);
    submission.job.authority = Some(Authority {
        principal,
        credential: Some(credential),
        tenant: submission.job.tenant.clone(),
        project: submission.job.project.clone(),
        scope: vec![scope],
        model_revisions: [(model, revision)].into(),
    });
    submission
}

pub async fn an_authority_is_kept_as_it_is_or_refused(case: &Case) {
    let long = "x".repeat(501);
    for odd in ["a\0b", "a\nb", "a\u{85}", &long] {
        for place in 0..5 {
            let mut texts = ["ada"; 5];
            texts[place] = odd;
            let neighbour = job().build(&*case.clock);
            let (tenant, id) = (neighbour.job.tenant.clone(), neighbour.job.id);
            let asked = vec![neighbour, acting_as(case, texts)];
            let error = case.stores.jobs.submit(asked).await.unwrap_err();
            assert!(matches!(error, Error::Invalid(_)), "{odd:?} at {place}: {error:?}");
            assert_eq!(case.stores.jobs.job(&tenant, id).await.unwrap(), None, "a part was kept");
        }
    }
    let odd = acting_as(case, [ODD; 5]);
    let (tenant, id) = (odd.job.tenant.clone(), odd.job.id);
    let asked = odd.job.authority.clone();
    assert_eq!(case.stores.jobs.submit(vec![odd]).await.unwrap(), [Submitted::Created(id)]);
    let kept = case.stores.jobs.job(&tenant, id).await.unwrap().unwrap();
    assert_eq!(kept.spec.authority, asked);
}

pub async fn counts_above_what_a_ledger_counts_are_the_most_that_it_counts(case: &Case) {
    let most = i64::MAX.unsigned_abs();
    let limits = Limits {
        cost: Some(NanoUsd::new(i64::MAX)),
        calls: Some(u32::MAX),
        input_tokens: Some(u64::MAX),
        output_tokens: Some(most + 1),
        run_for: Some(Duration::MAX),
        items: Some(u32::MAX),
    };
    let held = case.running(job().limits(limits)).await;
    let hold = case.hold("a", "0.1");
    let mut sent = commit(&held).hold(&hold).build();
    let unit = "tokens".to_owned();
    let progress = Progress { stage: stage("generate"), done: most + 1, total: u64::MAX, unit };
    sent.progress = Some(progress);
    case.applied(sent).await;
    let usage = Usage { input_tokens: u64::MAX, cached_input_tokens: 1 << 63, output_tokens: 3 };
    let cost = Amounts::of_call(NanoUsd::new(1), usage);
    let (answer, usable) = (Some(Stored::Inline(b"\0\xff".to_vec())), true);
    let settled = HoldOutcome::Settled { cost, usage, estimated: false, answer, usable };
    case.applied(commit(&held).end_hold(hold.id, settled)).await;

    let run = case.run(held.job).await;
    assert_eq!(run.limits, limits.countable());
    assert_eq!(run.limits.input_tokens, Some(most));
    let progress = run.progress.unwrap();
    assert_eq!((progress.done, progress.total), (most, most));
    let entry = case.entries(held.job).await.pop().unwrap();
    assert_eq!(entry.usage, Some(usage.countable()));
    assert_eq!(entry.answer, Some(Stored::Inline(b"\0\xff".to_vec())));
    assert_eq!(run.balance.spent.input_tokens, i64::MAX);
}

pub async fn a_wait_without_an_end_is_a_wait(case: &Case) {
    let held = case.running(job()).await;
    case.applied(commit(&held).retry_after(Duration::MAX)).await;
    assert_eq!(case.state(held.job).await, State::RetryWait);
    case.lose_leases().await;
    assert_eq!(case.state(held.job).await, State::RetryWait);
}

pub async fn large_costs_are_kept_exactly(case: &Case) {
    let held = case.running(job()).await;
    let hold = case.hold("a", "9000000000");
    case.applied(commit(&held).hold(&hold)).await;
    case.applied(commit(&held).settle(hold.id, "8999999999.999999999")).await;
    let spent = case.run(held.job).await.balance.spent.cost;
    assert_eq!(spent.to_string(), "8999999999.999999999");
}

fn profile(id: &str, input: &str) -> Profile {
    let text = format!(
        "id = {id:?}\neffective_from = \"2026-11-01T00:00:00Z\"\n[[price]]\nprovider = \"fake\"\n\
         model = \"fake-1\"\ninput_usd_per_million = {input:?}\noutput_usd_per_million = \"0.6\"\n"
    );
    Profile::from_toml(&text).unwrap()
}

pub async fn a_price_profile_never_changes(case: &Case) {
    let ledger = &case.stores.ledger;
    ledger.keep_profile(&profile("a", "0.15")).await.unwrap();
    ledger.keep_profile(&profile("a", "0.15")).await.unwrap();
    let error = ledger.keep_profile(&profile("a", "0.16")).await.unwrap_err();
    assert!(matches!(error, Error::Invalid(_)), "{error:?}");
    ledger.keep_profile(&profile("b", "0.16")).await.unwrap();
    ledger.keep_profile(&profile("a", "0.15")).await.unwrap();
}
