//! Where each value came from.

use super::{Process, file};
use crate::settings::Loaded;

fn of<'a>(loaded: &'a Loaded, key: &str) -> (&'a str, &'a str) {
    let origin = loaded.origins.iter().find(|origin| origin.key == key).unwrap();
    (&origin.value, &origin.source)
}

#[test]
fn each_value_is_told_with_its_source() {
    let loaded = file("operations.lease_for = '60s'\nstore.busy_for = '1s'")
        .variable("KOINON_STORE__BUSY_FOR", "1500ms")
        .database("sqlite://x.db")
        .load()
        .unwrap();
    assert_eq!(of(&loaded, "operations.lease_for"), ("1m", "koinon.toml"));
    assert_eq!(of(&loaded, "store.busy_for"), ("1500ms", "environment KOINON_STORE__BUSY_FOR"));
    assert_eq!(of(&loaded, "database.url"), ("sqlite://x.db", "flag --database"));
    assert_eq!(of(&loaded, "operations.max_attempts"), ("3", "default"));
    assert_eq!(of(&loaded, "operations.stage_for"), ("none", "default"));
}

#[test]
fn what_is_told_of_the_defaults_is_what_would_be_written() {
    let told = Process::new().load().unwrap().origins;
    assert!(told.iter().all(|origin| origin.source == "default"));
    let written: String = told
        .iter()
        .filter(|origin| origin.value != "none")
        .map(|origin| {
            let is_switch = ["true", "false"].contains(&origin.value.as_str());
            match origin.value.parse::<u32>().is_ok() || is_switch {
                true => format!("{} = {}\n", origin.key, origin.value),
                false => format!("{} = {:?}\n", origin.key, origin.value),
            }
        })
        .collect();
    let again = file(&written).load().unwrap();
    assert_eq!(again.settings, crate::settings::Settings::default());
    assert_eq!(told.len(), again.origins.len());
}

#[test]
fn named_queues_and_providers_are_told_with_all_their_values() {
    let loaded = file("queues.dataset.running = 2\nproviders.acme.api_key_env = 'ACME_KEY'");
    let loaded = loaded.load().unwrap();
    assert_eq!(of(&loaded, "queues.dataset.running"), ("2", "koinon.toml"));
    assert_eq!(of(&loaded, "queues.dataset.running_per_tenant"), ("none", "default"));
    assert_eq!(of(&loaded, "providers.acme.kind"), ("openai", "default"));
    assert_eq!(of(&loaded, "providers.acme.api_key_env"), ("ACME_KEY", "koinon.toml"));
}
