//! Text and numbers at their ends.

use koinon_budget::Profile;
use koinon_domain::{ErrorCode, Failed, ItemKey};
use koinon_store::{CheckpointKey, End, Error, Stored};

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
