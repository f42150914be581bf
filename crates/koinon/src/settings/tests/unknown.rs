//! Keys that do not exist.

use super::{Process, file, variable};

fn unknown(message: &str) -> (String, String) {
    ("config_unknown_key".to_owned(), message.to_owned())
}

#[test]
fn an_unknown_key_of_the_file_is_refused_with_the_nearest_one() {
    let message = "operations.lease_fro (koinon.toml) is not a configuration key; the nearest one is \
                   operations.lease_for";
    assert_eq!(file("[operations]\nlease_fro = '2s'").refusal(), unknown(message));
}

#[test]
fn an_unknown_key_of_the_environment_is_refused_with_its_variable() {
    let message = "operations.lease_fro (environment KOINON_OPERATIONS__LEASE_FRO) is not a \
                   configuration key; the nearest one is operations.lease_for";
    assert_eq!(variable("KOINON_OPERATIONS__LEASE_FRO", "2s").refusal(), unknown(message));
    let message = "max_attempts (environment KOINON_MAX_ATTEMPTS) is not a configuration key; the \
                   nearest one is operations.max_attempts";
    assert_eq!(variable("KOINON_MAX_ATTEMPTS", "2").refusal(), unknown(message));
}

#[test]
fn a_name_that_people_chose_is_kept_in_the_nearest_key() {
    let message = "providers.acme.base_uri (koinon.toml) is not a configuration key; the nearest one is \
                   providers.acme.base_url";
    assert_eq!(file("[providers.acme]\nbase_uri = 'x'").refusal(), unknown(message));
}

#[test]
fn the_file_is_named_as_it_was_given() {
    let message =
        "databse.url (my.toml) is not a configuration key; the nearest one is database.url";
    let process = Process::new().named_file("my.toml", "databse.url = 'x'").config("my.toml");
    assert_eq!(process.refusal(), unknown(message));
}

#[test]
fn a_table_and_a_value_are_not_taken_for_each_other() {
    let message =
        "database (koinon.toml) is not a configuration key; the nearest one is database.url";
    assert_eq!(file("database = 'sqlite://x.db'").refusal(), unknown(message));
    let message = "database.url.path (koinon.toml) is not a configuration key; the nearest one is \
                   database.url";
    assert_eq!(file("database.url.path = 'x.db'").refusal(), unknown(message));
}

#[test]
fn an_empty_table_of_the_right_name_says_nothing_and_another_is_refused() {
    file("[operations]\n[queues.dataset]\n[providers]").load().unwrap();
    assert_eq!(file("[operatoins]").refusal().0, "config_unknown_key");
}

#[test]
fn an_unknown_key_is_refused_although_a_heavier_source_covers_it() {
    let process = file("database = 'x'").variable("KOINON_DATABASE__URL", "sqlite://x.db");
    assert_eq!(process.refusal().0, "config_unknown_key");
}

#[test]
fn variables_that_are_no_configuration_are_left_alone() {
    variable("KOINON_PROCESS_ROLE", "worker")
        .variable("KOINON_LOG", "koinon=debug")
        .variable("KOINONIA", "x")
        .variable("PATH", "/bin")
        .variable("größe", "x")
        .load()
        .unwrap();
}

#[test]
fn the_switches_for_bulk_work_have_variables_of_their_own_names() {
    let loaded = variable("KOINON_KNOWLEDGE_BULK_WORKER_ENABLED", "true").load().unwrap();
    assert!(loaded.settings.knowledge.bulk_worker_enabled);
    assert!(!loaded.settings.knowledge.bulk_query_worker_enabled);
    let switch = variable("KOINON_KNOWLEDGE_BULK_QUERY_WORKER_ENABLED", "true");
    assert!(switch.load().unwrap().settings.knowledge.bulk_query_worker_enabled);
    let (code, message) = variable("KOINON_KNOWLEDGE_BULK_WORKER_ENABLED", "yes").refusal();
    assert_eq!(code, "config_out_of_range");
    assert!(message.contains("KOINON_KNOWLEDGE_BULK_WORKER_ENABLED"), "{message}");
}

#[test]
fn a_file_that_is_not_toml_is_refused_at_its_place_and_without_its_text() {
    let (code, message) = file("[database]\napi_key = sk-secret\n").refusal();
    assert_eq!(code, "usage");
    assert!(message.starts_with("koinon.toml, line 2, column 11: "), "{message}");
    assert!(!message.contains("secret"), "{message}");
}
