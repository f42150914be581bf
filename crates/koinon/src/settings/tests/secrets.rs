//! No secret in the file, and none in what is shown.

use super::{Process, file, variable};

#[test]
fn a_key_in_clear_text_is_refused_and_not_shown() {
    let (code, message) = file("[providers.openai]\napi_key = 'sk-s3cret'").refusal();
    let expected = "providers.openai.api_key (koinon.toml) would hold a key in clear text; put the key \
                    into an environment variable and name that in providers.openai.api_key_env";
    assert_eq!((code.as_str(), message.as_str()), ("config_unknown_key", expected));
    let (_, message) = variable("KOINON_PROVIDERS__OPENAI__API_KEY", "sk-s3cret").refusal();
    assert!(message.contains("environment KOINON_PROVIDERS__OPENAI__API_KEY"), "{message}");
    assert!(!message.contains("s3cret"), "{message}");
}

#[test]
fn a_key_in_the_place_of_its_variable_is_refused_and_not_shown() {
    for key in ["sk-s3cret", "s3cret", "", "1S3CRET"] {
        let (code, message) = file(&format!("[providers.openai]\napi_key_env = '{key}'")).refusal();
        let expected = "providers.openai.api_key_env = *** (koinon.toml) must be the name of an \
                        environment variable in capital letters, digits and underscores, never the key \
                        itself";
        assert_eq!((code.as_str(), message.as_str()), ("config_out_of_range", expected));
    }
}

#[test]
fn a_password_in_an_address_of_the_file_is_refused_and_not_shown() {
    let (code, message) = file("database.url = 'postgres://me:s3cret@db/koinon'").refusal();
    let expected = "database.url (koinon.toml) has a password in clear text; set KOINON_DATABASE__URL \
                    in the environment";
    assert_eq!((code.as_str(), message.as_str()), ("config_out_of_range", expected));
}

#[test]
fn passwords_from_the_environment_and_from_flags_are_masked() {
    let url = "postgres://me:s3cret@db/koinon";
    let masked = "postgres://me:***@db/koinon";
    for process in [variable("KOINON_DATABASE__URL", url), Process::new().database(url)] {
        let loaded = process.load().unwrap();
        let origin = loaded.origins.iter().find(|origin| origin.key == "database.url").unwrap();
        assert_eq!(origin.value, masked);
        assert_eq!(loaded.settings.database.url, url);
    }
}
