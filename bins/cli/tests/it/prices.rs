//! Price profiles.

use crate::place::Place;

const ACME: &str = "id = \"acme-2026-11\"\neffective_from = \"2026-11-01T00:00:00Z\"\n[[price]]\n\
    provider = \"openai\"\nmodel = \"gpt-4o-mini\"\ninput_usd_per_million = \"0.15\"\n\
    cached_input_usd_per_million = \"0.075\"\noutput_usd_per_million = \"0.60\"\n";

#[test]
fn a_profile_is_checked_and_a_wrong_one_is_refused_with_the_place() {
    let place = Place::new();
    place.write("acme.toml", ACME);
    let (code, checked) = place.json(&["price", "check", "acme.toml"]);
    assert_eq!(
        (code, &checked["id"], &checked["prices"]),
        (Some(0), &"acme-2026-11".into(), &1.into())
    );
    place.write("wrong.toml", &ACME.replace("0.60", "-0.60"));
    let ended = place.koinon(&["price", "check", "wrong.toml"]);
    assert_eq!(ended.code, Some(2));
    assert!(ended.stderr.contains("wrong.toml: openai/gpt-4o-mini, output_usd_per_million"));
    place.write("broken.toml", "id = \"x\"\n[[price]\n");
    let ended = place.koinon(&["price", "check", "broken.toml"]);
    assert_eq!(ended.code, Some(2));
    assert!(ended.stderr.contains("line 2"), "{}", ended.stderr);
    assert_eq!(place.koinon(&["price", "check", "nothing.toml"]).code, Some(2));
}

#[test]
fn the_prices_in_effect_are_listed() {
    let place = Place::new();
    place.write("acme.toml", &ACME.replace("2026-11-01", "2026-01-01"));
    let (_, list) = place.json(&["price", "list", "--prices", "acme.toml"]);
    let prices = list["prices"].as_array().unwrap();
    let mini = prices.iter().find(|price| price["model"] == "gpt-4o-mini").unwrap();
    assert_eq!(mini["input_usd_per_million"], "0.15");
    assert_eq!(mini["cached_input_usd_per_million"], "0.075");
    assert_eq!(mini["output_usd_per_million"], "0.6");
    assert!(prices.iter().any(|price| price["provider"] == "offline"));
    assert!(!place.path(".koinon").exists(), "prices need no database");
}
