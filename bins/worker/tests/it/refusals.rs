//! What the program does not start with: one line on standard error, and exit code 2.

use koinon_cluster::Cluster;

use crate::place::Place;

/// The refusal must be one line with this code and these words.
fn refused(place: &Place, args: &[&str], variables: &[(&str, &str)], code: &str, words: &[&str]) {
    let ended = place.run(args, variables);
    assert_eq!(ended.code, Some(2), "{ended:?}");
    let line = ended.stderr.strip_suffix('\n').unwrap();
    assert!(!line.contains('\n'), "more than one line: {line}");
    assert!(line.starts_with(&format!("error[{code}]: ")), "{line}");
    for word in words {
        assert!(line.contains(word), "no {word:?}: {line}");
    }
    assert!(!place.path(".koinon").exists(), "nothing is opened");
}

#[test]
fn another_role_is_refused() {
    for role in ["api", "Worker"] {
        let variables = [("KOINON_PROCESS_ROLE", role)];
        refused(&Place::new(), &[], &variables, "role_mismatch", &[role, "worker"]);
    }
}

#[test]
fn a_command_line_that_is_wrong_is_refused_under_the_code_of_usage() {
    let refused = |args: &[&str], words: &[&str]| refused(&Place::new(), args, &[], "usage", words);
    refused(&["--databse", "x"], &["'--databse'", "'--database'", "--help"]);
    refused(&["--prices"], &["'--prices <FILE>'"]);
    refused(&["now"], &["'now'"]);
    refused(&["--prices", "nowhere.toml"], &["nowhere.toml"]);
    for shows in ["--help", "--version"] {
        let ended = Place::new().run(&[shows], &[]);
        assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""), "{shows}");
    }
}

#[test]
fn an_unknown_key_is_refused_with_the_nearest_known_one() {
    let place = Place::new();
    let variables = [("KOINON_OPERATIONS__WORKER_CONCURENCY", "2")];
    let words = ["operations.worker_concurency", "operations.worker_concurrency"];
    refused(&place, &[], &variables, "config_unknown_key", &words);
    place.write("koinon.toml", "[operations.admission]\nworker_capcity = 2\n");
    let words = ["operations.admission.worker_capcity", "operations.admission.worker_capacity"];
    refused(&place, &[], &[], "config_unknown_key", &words);
}

#[test]
fn a_value_outside_of_its_range_is_refused() {
    for value in ["0", "17"] {
        let variables = [("KOINON_OPERATIONS__WORKER_CONCURRENCY", value)];
        let words = ["operations.worker_concurrency", value, "from 1 to 16"];
        refused(&Place::new(), &[], &variables, "config_out_of_range", &words);
    }
}

#[test]
fn a_filter_of_the_logs_that_cannot_be_read_is_refused() {
    for name in ["KOINON_LOG", "RUST_LOG"] {
        for value in ["=====[", "koinon=loud"] {
            let words = [name, value, "koinon=debug"];
            refused(&Place::new(), &[], &[(name, value)], "config_out_of_range", &words);
        }
    }
}

#[test]
fn fewer_connections_than_jobs_at_once_are_refused() {
    let variables = [
        ("KOINON_OPERATIONS__ADMISSION__WORKER_CAPACITY", "8"),
        ("KOINON_DATABASE__MAX_CONNECTIONS", "7"),
    ];
    refused(&Place::new(), &[], &variables, "pool_too_small", &["= 7", "= 8", "8 or more"]);
}

#[test]
fn a_database_without_the_schema_is_refused_with_the_command_to_run() {
    let database = Cluster::shared().unwrap().empty().unwrap();
    let args = ["--database", &database.url()];
    refused(&Place::new(), &args, &[], "schema_mismatch", &["koinon migrate"]);
}
