//! A disk that is full, and one that cannot be written. Each test has a small file system of its own, in
//! a mount namespace that ends with its process. Where none can be made, these tests are not built.

use std::time::Duration;

use koinon_e2e::{Audit, Dataset, Ended, Koinon, Reply, Server};

const DEADLINE: Duration = Duration::from_secs(90);

/// Runs the program under a shell line in a mount namespace of its own.
async fn in_namespace(koinon: &Koinon, line: &str, args: &[String]) -> Ended {
    std::fs::create_dir_all(koinon.path("disk")).unwrap();
    koinon.write("script.sh", line);
    let wrap = format!("exec {} sh ./script.sh \"$@\"", env!("MOUNT_NAMESPACE"));
    koinon.start_in_shell(&wrap, args).ended_within(DEADLINE).await
}

/// The arguments of a job whose database and artifacts stand on the disk of the test.
fn on_the_disk(server: &Server, target: &str) -> Vec<String> {
    let places = ["--database", "sqlite://disk/koinon.db", "--artifacts", "file://disk/artifacts"];
    let more = [places.as_slice(), &["--set", target]].concat();
    Koinon::dataset(server, &more)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_disk_fails_the_run_and_space_finishes_the_job() {
    let (koinon, server) = (Koinon::with_corpus(100), Server::start(Reply::long_answer).await);
    // What the first run could not hand back is free when its lease has expired.
    let koinon = koinon.env("KOINON_OPERATIONS__LEASE_FOR", "2s");
    let args = on_the_disk(&server, "target=100");
    let line = "mount -t tmpfs -o size=1500k tmpfs disk || exit 90
        \"$@\" >first.json 2>first.err; echo $? >first.code
        mount -o remount,size=200m disk || exit 91
        \"$@\"; code=$?
        cp -r disk/. .koinon/; exit $code";
    std::fs::create_dir(koinon.path(".koinon")).unwrap();

    let second = in_namespace(&koinon, line, &args).await;

    let read = |name: &str| std::fs::read_to_string(koinon.path(name)).unwrap();
    let (code, stderr) = (read("first.code"), read("first.err"));
    assert_eq!(code.trim(), "1", "stdout: {}\nstderr: {stderr}", read("first.json"));
    assert!(stderr.contains("disk_full"), "{stderr}");
    assert!(!stderr.contains("panicked"), "{stderr}");
    let _report = second.json_with_code(0);
    Dataset::read(&koinon, "out");
    let audit = Audit::of(&koinon).await;
    assert_eq!((audit.standing.state.as_str(), audit.items_of("generate")), ("succeeded", 100));
    let extra = server.count() - 100;
    assert!(extra <= audit.entries("in_doubt").len() + audit.entries("settled").len() - 100);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_disk_that_is_full_for_the_output_keeps_the_job() {
    let (koinon, server) = (Koinon::with_corpus(60), Server::answering().await);
    let mut args = Koinon::dataset(&server, &["--set", "target=60"]);
    let out = args.iter().position(|word| word == "out").unwrap();
    args[out] = "disk/out".to_owned();
    let line = "mount -t tmpfs -o size=16k tmpfs disk || exit 90
        \"$@\" >first.json 2>first.err; echo $? >first.code
        mount -o remount,size=20m disk || exit 91
        \"$@\"; code=$?
        cp -r disk/out copied; exit $code";

    let second = in_namespace(&koinon, line, &args).await;

    let read = |name: &str| std::fs::read_to_string(koinon.path(name)).unwrap();
    assert_eq!(read("first.code").trim(), "1", "{}", read("first.err"));
    assert!(read("first.err").contains("disk_full"), "{}", read("first.err"));
    assert_eq!(second.json_with_code(0)["calls_this_run"], 0);
    Dataset::read(&koinon, "copied");
    assert_eq!(server.count(), 60);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_output_folder_on_a_read_only_disk_is_refused_before_any_call() {
    let (koinon, server) = (Koinon::with_corpus(5), Server::answering().await);
    let mut args = Koinon::dataset(&server, &["--set", "target=5"]);
    let out = args.iter().position(|word| word == "out").unwrap();
    args[out] = "disk/out".to_owned();
    let line = "mount -t tmpfs -o ro tmpfs disk || exit 90; exec \"$@\"";

    let ended = in_namespace(&koinon, line, &args).await.with_code(2);

    assert!(ended.stderr.contains("disk/out"), "{ended}");
    assert_eq!(server.count(), 0);
    assert!(!koinon.database().exists() || Audit::all(&koinon).await.is_empty());
}
