//! Where this process listens, and what would make that pointless.

use super::{file, variable};

const DATABASE: &str = "database.url = 'postgres://pooler:6432/koinon'\n";
const LISTEN: &str = "store.postgres.listen_url = 'postgres://server:5432/koinon'\n";

#[test]
fn a_way_past_the_pooler_is_taken() {
    let text = format!("{DATABASE}{LISTEN}store.postgres.pooler = true");
    let settings = file(&text).load().unwrap().settings;
    let url = settings.store.postgres.listen_url.as_deref();
    assert_eq!(url, Some("postgres://server:5432/koinon"));
}

#[test]
fn a_place_to_listen_at_where_nobody_listens_is_refused() {
    let url = "postgres://server:5432/koinon";
    for (text, value, allowed) in [
        (
            format!("{DATABASE}{LISTEN}database.notifications = false"),
            url,
            "left out while database.notifications is false",
        ),
        (LISTEN.to_owned(), url, "left out while database.url is not a Postgres database"),
        (
            format!("{DATABASE}store.postgres.listen_url = 'server'"),
            "server",
            "an address of the same Postgres database, such as postgres://user@host:5432/koinon",
        ),
    ] {
        let message =
            format!("store.postgres.listen_url = {value} (koinon.toml) must be {allowed}");
        assert_eq!(file(&text).refusal(), ("config_out_of_range".to_owned(), message));
    }
}

#[test]
fn its_password_is_not_told() {
    let process = variable("KOINON_STORE__POSTGRES__LISTEN_URL", "postgres://me:s3cret@db/k");
    let (_, message) = process.refusal();
    assert!(message.contains("postgres://me:***@db/k"), "{message}");
}
