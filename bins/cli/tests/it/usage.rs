//! What is wrong in the command itself ends with exit code 2, and with no job.

use crate::place::{Ended, Place};

fn no_job(place: &Place) {
    let (code, list) = place.json(&["job", "list"]);
    assert_eq!((code, list["jobs"].as_array().unwrap().len()), (Some(0), 0));
}

#[test]
fn a_budget_that_is_no_amount_is_refused() {
    let place = Place::new();
    for budget in ["-1", "nan", "inf", "1e9", "", "0.0000000001"] {
        let (code, object) = place.json(&["run", "dataset", "guide.md", "--budget-usd", budget]);
        assert_eq!((code, &object["error_code"]), (Some(2), &"usage".into()), "{budget}");
    }
    no_job(&place);
}

#[test]
fn an_unknown_kind_is_refused_with_the_kinds_that_there_are() {
    let place = Place::new();
    let ended = place.koinon(&["run", "datset", "guide.md"]);
    assert_eq!(ended.code, Some(2));
    assert!(ended.stderr.starts_with("error[unknown_kind]: "), "{}", ended.stderr);
    assert!(ended.stderr.contains("dataset"), "{}", ended.stderr);
}

#[test]
fn a_provider_without_a_default_model_needs_one() {
    let place = Place::new();
    let ended = place.koinon(&["run", "dataset", "guide.md", "--provider", "openai"]);
    assert_eq!(ended.code, Some(2));
    assert!(ended.stderr.contains("--model"), "{}", ended.stderr);
}

#[test]
fn an_unknown_provider_is_told_before_the_missing_model_and_with_the_nearest_known_ones() {
    let place = Place::new();
    place.write("koinon.toml", "[providers.acme]\nbase_url = \"http://127.0.0.1:9/v1\"\n");
    let schedule = ["schedule", "add", "nightly", "--every", "1h", "--kind", "dataset", "guide.md"];
    for args in [&["run", "dataset", "guide.md"][..], &["submit", "dataset", "guide.md"], &schedule]
    {
        let (code, object) = place.json(&[args, &["--provider", "opnai"]].concat());
        assert_eq!((code, &object["error_code"]), (Some(2), &"usage".into()), "{args:?}");
        let summary = object["error_summary"].as_str().unwrap();
        assert!(summary.starts_with("provider opnai is not available"), "{summary}");
        assert!(summary.ends_with("openai, acme, offline"), "{summary}");
    }
    assert!(!place.path(".koinon").exists(), "nothing is opened");
}

#[test]
fn a_provider_that_is_not_configured_is_refused_before_anything_is_submitted() {
    let place = Place::new();
    for provider in ["openai", "acme"] {
        let args = ["run", "dataset", "guide.md", "--provider", provider, "--model", "m"];
        assert_eq!(place.json(&args).0, Some(2), "{provider}");
    }
    no_job(&place);
}

#[test]
fn an_empty_provider_is_called_empty() {
    let (code, object) = Place::new().json(&["run", "dataset", "guide.md", "--provider", ""]);
    let told = (code, &object["error_code"], &object["error_summary"]);
    assert_eq!(told, (Some(2), &"usage".into(), &"--provider is empty".into()));
}

#[test]
fn a_model_that_there_cannot_be_is_refused_before_anything_is_submitted() {
    let place = Place::new();
    place.write("koinon.toml", "[providers.acme]\nbase_url = \"http://127.0.0.1:9/v1\"\n");
    for (provider, model) in
        [("offline", "gpt-4o-mini"), ("offline", ""), ("acme", ""), ("acme", " ")]
    {
        for verb in ["run", "submit"] {
            let args = [verb, "dataset", "guide.md", "--provider", provider, "--model", model];
            let (code, object) = place.json(&args);
            assert_eq!((code, &object["error_code"]), (Some(2), &"usage".into()), "{args:?}");
        }
    }
    no_job(&place);
    let named = ["run", "dataset", "guide.md", "--model", "extractive-1"];
    assert_eq!(place.json(&named).0, Some(0));
}

#[test]
fn a_cost_limit_without_a_price_is_refused_before_anything_is_submitted() {
    let place = Place::new();
    place.write("koinon.toml", "[providers.acme]\nbase_url = \"http://127.0.0.1:9/v1\"\n");
    let schedule = ["schedule", "add", "nightly", "--every", "1h", "--kind", "dataset", "guide.md"];
    for args in [&["run", "dataset", "guide.md"][..], &["submit", "dataset", "guide.md"], &schedule]
    {
        let args = [args, &["--provider", "acme", "--model", "m", "--budget-usd", "5"]].concat();
        let (code, object) = place.json(&args);
        assert_eq!((code, &object["error_code"]), (Some(2), &"price_unknown".into()), "{args:?}");
        let ended = place.koinon(&args);
        assert!(ended.stderr.contains("--prices FILE"), "{}", ended.stderr);
    }
    no_job(&place);
    let (_, list) = place.json(&["schedule", "list"]);
    assert_eq!(list["schedules"].as_array().unwrap().len(), 0, "{list}");
}

#[test]
fn an_address_for_the_offline_provider_is_refused() {
    let place = Place::new();
    let args = ["run", "dataset", "guide.md", "--base-url", "http://127.0.0.1:9000/v1"];
    let ended = place.koinon(&args);
    assert_eq!(ended.code, Some(2));
    assert!(ended.stderr.contains("--provider openai"), "{}", ended.stderr);
}

#[test]
fn a_missing_input_is_refused() {
    let place = Place::new();
    let (code, object) = place.json(&["run", "dataset", "nothing.md"]);
    assert_eq!((code, &object["error_code"]), (Some(2), &"source_missing".into()));
    assert_eq!(place.json(&["run", "dataset"]).0, Some(2));
    no_job(&place);
}

#[test]
fn a_wrong_setting_is_refused() {
    let place = Place::new();
    for set in ["seed", "no_such_setting=1", "split=1/2", "target=-3"] {
        assert_eq!(place.json(&["run", "dataset", "guide.md", "--set", set]).0, Some(2), "{set}");
    }
    no_job(&place);
}

#[test]
fn an_output_folder_below_a_file_is_refused_before_anything_is_submitted() {
    let place = Place::new();
    let (code, object) = place.json(&["run", "dataset", "guide.md", "--out", "guide.md/out"]);
    assert_eq!((code, &object["error_code"]), (Some(2), &"output_not_writable".into()));
    no_job(&place);
}

#[test]
fn a_configuration_that_is_wrong_is_refused() {
    let place = Place::new();
    place.write("koinon.toml", "[operations]\nlease_fro = \"2s\"\n");
    let ended = place.koinon(&["job", "list"]);
    assert_eq!(ended.code, Some(2));
    assert!(ended.stderr.starts_with("error[config_unknown_key]: "), "{}", ended.stderr);
    assert_eq!(ended.stderr.lines().count(), 1, "{}", ended.stderr);
}

#[test]
fn a_filter_of_the_logs_that_cannot_be_read_is_refused() {
    let place = Place::new();
    let mut command = place.command(&["submit", "dataset", "guide.md", "--json"]);
    let ended = Ended::of(command.env("KOINON_LOG", "=====[").output().unwrap());
    assert_eq!(
        (ended.code, &ended.object()["error_code"]),
        (Some(2), &"config_out_of_range".into())
    );
    assert!(ended.stderr.contains("KOINON_LOG = \"=====[\""), "{}", ended.stderr);
    assert!(!place.path(".koinon").exists(), "nothing is opened");
}

#[test]
fn a_job_that_is_not_there_is_an_error_and_a_wrong_id_is_wrong_usage() {
    let place = Place::new();
    for verb in
        ["status", "events", "cost", "pause", "resume", "cancel", "retry", "wait", "artifacts"]
    {
        let id = "0193c0de-0000-7000-8000-000000000001";
        let (code, object) = place.json(&["job", verb, id]);
        assert_eq!((code, &object["error_code"]), (Some(1), &"not_found".into()), "{verb}");
        assert_eq!(place.json(&["job", verb, "nonsense"]).0, Some(2), "{verb}");
    }
}

#[test]
fn a_command_line_that_is_wrong_is_refused_under_the_code_of_usage() {
    let place = Place::new();
    for (args, says) in [
        (&["job", "list", "--no-such-option"][..], "unexpected argument '--no-such-option' found"),
        (&["job", "lsit"], "unrecognized subcommand 'lsit'"),
        (&["job", "status"], "the following required arguments were not provided: <JOB>"),
        (&["run", "dataset", "guide.md", "--max-calls", "-1"], "unexpected argument '-1' found"),
        (&["--database"], "a value is required for '--database <URL>' but none was supplied"),
    ] {
        let ended = place.koinon(&[args, &["--json"]].concat());
        let summary = ended.object()["error_summary"].clone();
        assert_eq!((ended.code, summary.as_str()), (Some(2), Some(says)), "{args:?}");
        let first = ended.stderr.lines().next().unwrap();
        let told = first.strip_prefix("error[usage]: ").unwrap_or_else(|| panic!("{first}"));
        assert!(says.starts_with(told), "{first}");
        assert!(ended.stderr.contains("--help"), "{}", ended.stderr);
        assert_eq!(place.koinon(args).stderr.lines().next(), Some(first), "{args:?}");
    }
    for args in [&["job"][..], &[]] {
        let ended = place.koinon(args);
        assert_eq!(ended.code, Some(2), "{args:?}");
        let first = ended.stderr.lines().next();
        assert_eq!(first, Some("error[usage]: the name of a command is missing"), "{args:?}");
        assert!(ended.stderr.contains("Commands:"), "{}", ended.stderr);
    }
    for shows in ["--help", "--version"] {
        let ended = place.koinon(&[shows]);
        assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""), "{shows}");
        assert!(ended.stdout.contains("koinon"), "{}", ended.stdout);
    }
}

#[test]
fn options_that_do_not_exist_are_told_as_an_object_too() {
    let place = Place::new();
    let (code, object) = place.json(&["job", "list", "--no-such-option"]);
    assert_eq!((code, &object["error_code"]), (Some(2), &"usage".into()));
    assert_eq!(place.koinon(&["--help"]).code, Some(0));
    assert_eq!(place.koinon(&[]).code, Some(2));
}
