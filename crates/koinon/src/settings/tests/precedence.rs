//! Defaults < file < environment < flags.

use std::time::Duration;

use super::{Process, file, variable};
use crate::settings::{OnInDoubt, Settings};

const FILE: &str = r#"
    [database]
    url = "sqlite://from-file.db"
    [operations]
    lease_for = "2m"
    max_attempts = 7
"#;

#[test]
fn without_any_source_the_defaults_hold() {
    let settings = Process::new().load().unwrap().settings;
    assert_eq!(settings, Settings::default());
    assert_eq!(settings.database.url, "sqlite://.koinon/koinon.db");
    assert_eq!(settings.artifacts.url, "file://.koinon/artifacts");
    assert_eq!(settings.operations.admission.worker_capacity, 1);
}

#[test]
fn the_defaults_are_in_their_own_ranges() {
    Settings::default().check().unwrap();
}

#[test]
fn each_source_weighs_more_than_the_one_before() {
    let settings = file(FILE)
        .variable("KOINON_OPERATIONS__LEASE_FOR", "3s")
        .variable("KOINON_DATABASE__URL", "sqlite://from-environment.db")
        .database("sqlite://from-flag.db")
        .load()
        .unwrap()
        .settings;
    assert_eq!(settings.database.url, "sqlite://from-flag.db");
    assert_eq!(settings.operations.lease_for, Duration::from_secs(3));
    assert_eq!(settings.operations.max_attempts, 7);
    assert_eq!(settings.operations.drain_for, Duration::from_secs(25));
}

#[test]
fn only_the_value_that_counts_has_to_be_in_its_range() {
    let process = file("operations.max_attempts = 0");
    let settings =
        process.variable("KOINON_OPERATIONS__MAX_ATTEMPTS", "5").load().unwrap().settings;
    assert_eq!(settings.operations.max_attempts, 5);
}

#[test]
fn variables_are_read_in_any_case() {
    let settings = variable("koinon_Operations__ADMISSION__worker_capacity", "4").load().unwrap();
    assert_eq!(settings.settings.operations.admission.worker_capacity, 4);
}

#[test]
fn every_form_of_value_is_read() {
    let settings = file(
        r#"
        database.notifications = false
        operations.stage_for = "1h"
        operations.on_in_doubt = "pause"
        store.busy_for = "500ms"
        [queues]
        "my.queue" = { running = 3 }
        [queues.dataset]
        running_per_tenant = 2
        [providers.acme]
        kind = "openai"
        base_url = "http://127.0.0.1:9000/v1"
        api_key_env = "ACME_KEY"
        "#,
    )
    .load()
    .unwrap()
    .settings;
    assert!(!settings.database.notifications);
    assert_eq!(settings.operations.stage_for, Some(Duration::from_hours(1)));
    assert_eq!(settings.operations.on_in_doubt, OnInDoubt::Pause);
    assert_eq!(settings.store.busy_for, Duration::from_millis(500));
    assert_eq!(settings.queues["my.queue"].running, Some(3));
    assert_eq!(settings.queues["dataset"].running_per_tenant, Some(2));
    let acme = &settings.providers["acme"];
    assert_eq!(acme.base_url.as_deref(), Some("http://127.0.0.1:9000/v1"));
    assert_eq!(acme.api_key_env.as_deref(), Some("ACME_KEY"));
}

#[test]
fn the_base_url_of_the_command_line_belongs_to_openai_or_to_the_provider_that_is_named() {
    let url = Some("http://127.0.0.1:9000/v1".to_owned());
    let mut process = Process::new();
    process.flags.base_url = url.clone();
    assert_eq!(process.load().unwrap().settings.providers["openai"].base_url, url);

    let mut process = Process::new();
    process.flags.base_url = url.clone();
    process.flags.provider = Some("acme".to_owned());
    let settings = process.load().unwrap().settings;
    assert_eq!(settings.providers["acme"].base_url, url);
    assert_eq!(settings.providers.len(), 1);
}

#[test]
fn a_file_that_is_named_is_read_instead_of_the_usual_one() {
    let process =
        file("operations.max_attempts = 5").named_file("my.toml", "store.busy_for = '1s'");
    let settings = process.config("my.toml").load().unwrap().settings;
    assert_eq!(settings.store.busy_for, Duration::from_secs(1));
    assert_eq!(settings.operations.max_attempts, 3);
}

#[test]
fn a_file_that_is_named_has_to_be_there() {
    let refusal = Process::new().config("missing.toml").refusal();
    let message = "reading the configuration file missing.toml";
    assert_eq!(refusal, ("usage".to_owned(), message.to_owned()));
}
