//! `koinon doctor` and `koinon migrate`.

use crate::place::{Ended, Place};

#[test]
fn a_healthy_place_passes_and_every_setting_says_where_it_came_from() {
    let place = Place::new();
    place.write("koinon.toml", "[operations]\nlease_for = \"2s\"\n");
    let (code, doctor) = place.json(&["doctor"]);
    assert_eq!((code, &doctor["healthy"]), (Some(0), &true.into()), "{doctor}");
    let settings = doctor["settings"].as_array().unwrap();
    let lease = settings.iter().find(|setting| setting["key"] == "operations.lease_for").unwrap();
    assert_eq!((&lease["value"], &lease["source"]), (&"2s".into(), &"koinon.toml".into()));
}

#[test]
fn one_thing_that_is_wrong_fails_and_does_not_hide_the_rest() {
    let place = Place::new();
    let mut command =
        place.command(&["doctor", "--artifacts", "file://guide.md/artifacts", "--json"]);
    command.env("KOINON_PROVIDERS__ACME__API_KEY_ENV", "NO_SUCH_VARIABLE");
    let ended = Ended::of(command.output().unwrap());
    let doctor = ended.object();
    assert_eq!((ended.code, &doctor["healthy"]), (Some(1), &false.into()));
    let checks = doctor["checks"].as_array().unwrap();
    let failed: Vec<_> = checks.iter().filter(|check| check["ok"] == false).collect();
    assert_eq!(failed.len(), 2, "{doctor}");
}

#[test]
fn every_database_of_the_configuration_is_looked_at() {
    let place = Place::new();
    place.write(
        "koinon.toml",
        "[datasources]\ndocument_control.url = \"sqlite://documents.db\"\n\
         structured_control.url = \"postgres://koinon@127.0.0.1:1/koinon\"\n",
    );
    let (code, doctor) = place.json(&["doctor"]);
    let checks = doctor["checks"].as_array().unwrap();
    let verdict =
        |name: &str| checks.iter().find(|check| check["name"] == name).unwrap()["ok"].clone();
    assert_eq!(code, Some(1), "{doctor}");
    assert_eq!(verdict("database"), true);
    assert_eq!(verdict("database document_control"), true);
    assert_eq!(verdict("database structured_control"), false);
}

#[test]
fn migrating_tells_the_version_and_may_be_repeated() {
    let place = Place::new();
    let (code, first) = place.json(&["migrate"]);
    assert_eq!(code, Some(0));
    assert!(first["schema_version"].as_i64().unwrap() > 0);
    assert_eq!(place.json(&["migrate"]).1, first);
}
