//! Values of another type, or outside of their range.

use super::{file, variable};
use crate::settings::Settings;

#[test]
fn a_value_outside_of_its_range_is_refused_with_key_value_source_and_range() {
    let second = "a time from 1s to 1h, such as 2s or 500ms";
    let hour = "a time from 0s to 1h, such as 2s or 500ms";
    let day = "a time from 1s to 24h, such as 2s or 500ms";
    let capacity = "a whole number from 1 to 1024";
    let orphans = "a time from 1h to 87600h, because a blob is stored before the row that names it, and a \
                   sweep must not come in between";
    for (key, value, allowed) in [
        ("operations.lease_for", "\"0s\"", second),
        ("operations.lease_for", "\"999ms\"", second),
        ("operations.lease_for", "\"61m\"", second),
        ("operations.lease_for", "\"soon\"", second),
        ("operations.lease_for", "60", second),
        ("operations.lease_for", "-1", second),
        ("operations.drain_for", "\"2h\"", hour),
        ("operations.flush_for", "true", hour),
        ("operations.call_for", "\"500ms\"", day),
        ("operations.call_for", "\"25h\"", day),
        ("operations.stage_for", "\"0s\"", "a time from 1s to 168h, such as 2s or 500ms"),
        ("operations.max_attempts", "0", "a whole number from 1 to 100"),
        ("operations.max_attempts", "101", "a whole number from 1 to 100"),
        ("operations.max_attempts", "-3", "a whole number from 1 to 100"),
        ("operations.max_attempts", "2.5", "a whole number from 1 to 100"),
        ("operations.max_attempts", "\"3\"", "a whole number from 1 to 100"),
        ("operations.worker_concurrency", "17", "a whole number from 1 to 16"),
        ("operations.on_in_doubt", "\"perhaps\"", "retry or pause"),
        ("operations.admission.worker_capacity", "0", capacity),
        ("operations.admission.worker_capacity", "1025", capacity),
        ("operations.admission.api_capacity", "0", capacity),
        ("operations.admission.callback_capacity", "5000", capacity),
        ("operations.admission.max_waiters", "65536", "a whole number from 0 to 65535"),
        ("operations.admission.max_waiters", "4294967296", "a whole number from 0 to 65535"),
        ("operations.admission.wait_timeout", "\"3601s\"", hour),
        ("database.max_connections", "0", "a whole number from 1 to 256"),
        ("database.notifications", "\"yes\"", "true or false"),
        ("database.url", "\"\"", "a text that is not empty"),
        ("artifacts.url", "5", "a text that is not empty"),
        ("store.busy_for", "\"0s\"", "a time from 100ms to 1h, such as 2s or 500ms"),
        ("retention.orphans_for", "\"59m\"", orphans),
        ("retention.orphans_for", "\"1s\"", orphans),
        ("retention.orphans_for", "\"87601h\"", orphans),
        ("queues.dataset.running", "0", "a whole number from 1 to 1000000"),
        ("providers.acme.kind", "\"telepathy\"", "openai"),
        ("providers.acme.base_url", "\" \"", "a text that is not empty"),
    ] {
        let refusal = file(&format!("{key} = {value}")).refusal();
        let message = format!("{key} = {value} (koinon.toml) must be {allowed}");
        assert_eq!(refusal, ("config_out_of_range".to_owned(), message));
    }
}

#[test]
fn the_address_of_a_datasource_is_that_of_a_database() {
    for name in ["document_control", "structured_control"] {
        let key = format!("datasources.{name}.url");
        for url in ["nope", "mysql://db/koinon", "/var/lib/koinon.db"] {
            let message = format!(
                "{key} = {url} (koinon.toml) must be postgres://user@host:port/name, \
                 sqlite://relative/path or sqlite:///absolute/path"
            );
            let refusal = file(&format!("{key} = '{url}'")).refusal();
            assert_eq!(refusal, ("config_out_of_range".to_owned(), message));
        }
        for url in ["sqlite://other.db", "postgres://db/koinon", " postgresql://db/koinon"] {
            assert!(file(&format!("{key} = '{url}'")).load().is_ok(), "{url}");
        }
    }
}

#[test]
fn the_ends_of_the_ranges_are_allowed() {
    for text in [
        "operations.lease_for = '1s'",
        "operations.lease_for = '1h'",
        "operations.drain_for = '0s'",
        "operations.call_for = '24h'",
        "operations.max_attempts = 100",
        "operations.worker_concurrency = 16",
        "operations.admission.worker_capacity = 1024",
        "operations.admission.max_waiters = 0",
        "operations.admission.max_waiters = 65535",
        "operations.admission.wait_timeout = '0s'",
        "retention.orphans_for = '1h'",
        "retention.orphans_for = '87600h'",
    ] {
        assert!(file(text).load().is_ok(), "{text}");
    }
}

#[test]
fn a_wrong_value_of_the_environment_is_refused_with_its_variable() {
    let (code, message) = variable("KOINON_OPERATIONS__LEASE_FOR", "60").refusal();
    let expected = "operations.lease_for = 60 (environment KOINON_OPERATIONS__LEASE_FOR) must be a \
                    time from 1s to 1h, such as 2s or 500ms";
    assert_eq!((code.as_str(), message.as_str()), ("config_out_of_range", expected));
}

#[test]
fn lists_tables_and_instants_are_no_values() {
    for (text, shown) in [
        ("operations.max_attempts = [1]", "a list"),
        ("database.url = {}", "a table"),
        ("operations.lease_for = 2026-01-01", "an instant"),
    ] {
        let (code, message) = file(text).refusal();
        assert_eq!(code, "config_out_of_range", "{message}");
        assert!(message.contains(&format!(" = {shown} (koinon.toml) must be ")), "{message}");
    }
}

#[cfg(unix)]
#[test]
fn bytes_that_are_no_text_are_no_value() {
    use std::os::unix::ffi::OsStringExt as _;

    let path = std::ffi::OsString::from_vec(b"sqlite://\xff.db".to_vec());
    let surroundings = super::Surroundings {
        folder: tempfile::tempdir().unwrap().path().to_owned(),
        variables: vec![("KOINON_DATABASE__URL".into(), path)],
    };
    let error = surroundings.load(&super::Flags::default()).unwrap_err();
    let expected = "database.url = bytes that are no text (environment KOINON_DATABASE__URL) must be a \
                    text that is not empty";
    assert_eq!(error.to_string(), expected);
}

#[test]
fn names_of_providers_and_queues_are_checked() {
    let (code, message) = file("[providers.offline]\nkind = 'openai'").refusal();
    assert_eq!(code, "config_out_of_range");
    let expected = "providers.<name> = \"offline\" (koinon.toml) must be a name of 1 to 64 lower-case \
                    letters, digits, - and _, but not offline, which is built in";
    assert_eq!(message, expected);
    assert_eq!(file("[providers.Acme]\nkind = 'openai'").refusal().0, "config_out_of_range");
    let (code, message) = file("[queues.'']\nrunning = 1").refusal();
    assert_eq!(code, "config_out_of_range");
    assert!(message.starts_with("queues.<name> = \"\" (koinon.toml) must be "), "{message}");
}

#[test]
fn settings_that_a_program_made_are_checked_too() {
    let mut settings = Settings::default();
    settings.operations.max_attempts = 0;
    let expected = "operations.max_attempts = 0 (set by the program) must be a whole number from 1 \
                    to 100";
    assert_eq!(settings.check().unwrap_err().to_string(), expected);
}
