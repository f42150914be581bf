//! An engine put together from settings, on a SQLite file in a folder of the test's own.

use std::error::Error as _;
use std::sync::Arc;

use koinon::Error;
use koinon::prelude::*;
use koinon::provider::{Call, Failure as CallFailure, Outcome, Provider, Sent};
use koinon::retry::Class;
use koinon::settings::ProviderSettings;
use koinon::store::{IfExists, Submitted};
use tempfile::TempDir;

struct Shout;

#[async_trait]
impl Workload for Shout {
    const KIND: &'static str = "shout";
    const STAGES: &'static [&'static str] = &["shout"];
    type Input = String;
    type Output = String;

    async fn run(&self, job: &JobContext, text: String) -> Result<String, JobError> {
        job.stage("shout").once(&text, async |_| Ok(text.to_uppercase())).await
    }
}

/// Settings whose data is below `folder`.
fn settings(folder: &TempDir) -> Settings {
    let mut settings = Settings::default();
    settings.database.url = format!("sqlite://{}", folder.path().join("koinon.db").display());
    settings.artifacts.url = format!("file://{}", folder.path().join("artifacts").display());
    settings
}

async fn open(folder: &TempDir) -> Koinon {
    Koinon::builder(settings(folder)).workload(Shout).open().await.unwrap()
}

fn submit(key: &str) -> Submit {
    Submit::of::<Shout>(key, &"ahoy").unwrap()
}

#[tokio::test]
async fn a_job_is_run_and_its_result_is_found_again() {
    let folder = tempfile::tempdir().unwrap();
    let koinon = open(&folder).await;
    let status = koinon.run(submit("one")).await.unwrap();
    koinon.close().await;
    assert_eq!(status.run.state, State::Succeeded);
    assert_eq!(status.spec.queue.as_str(), "shout");

    let again = open(&folder).await;
    let found = again.run(submit("one")).await.unwrap();
    again.close().await;
    assert_eq!(found, status);
    assert_eq!(found.run.manifest.unwrap().summary, br#""AHOY""#);
}

#[tokio::test]
async fn a_submitted_job_has_what_the_settings_and_the_submission_say() {
    let folder = tempfile::tempdir().unwrap();
    let mut settings = settings(&folder);
    settings.operations.max_attempts = 7;
    let koinon = Koinon::builder(settings).workload(Shout).open().await.unwrap();
    let submission = submit("one").budget("0.25".parse().unwrap());

    let submitted = koinon.submit(submission.clone()).await.unwrap();

    let job = koinon.jobs().job(koinon.tenant(), submitted.job()).await.unwrap().unwrap();
    assert_eq!((job.spec.tenant.as_str(), job.spec.project.as_str()), ("local", "default"));
    assert_eq!(job.spec.max_attempts, 7);
    assert_eq!(job.spec.limits.cost, Some("0.25".parse().unwrap()));
    assert_eq!(job.spec.identity, submission.identity);
    let authority = koinon.local_authority(job.spec.project.clone());
    assert_eq!((authority.principal.as_str(), &authority.tenant), ("local", koinon.tenant()));
    assert_eq!(job.spec.authority, Some(authority));
    let again = koinon.submit(submission).await.unwrap();
    assert_eq!(again, Submitted::Existing(submitted.job()));
    koinon.close().await;
}

#[tokio::test]
async fn a_worker_takes_from_the_queue_that_was_named() {
    let folder = tempfile::tempdir().unwrap();
    let koinon = open(&folder).await;
    let queue = QueueName::try_new("loud").unwrap();
    let new = Submit { queue: Some(queue.clone()), if_exists: IfExists::Return, ..submit("one") };
    let job = koinon.submit(new).await.unwrap().job();

    let worker = koinon.worker(vec![queue.clone()]);
    worker.dispatch(Until::Idle).await.unwrap();
    assert_eq!(worker.drain().await, Drained::Clean);

    let job = koinon.jobs().job(koinon.tenant(), job).await.unwrap().unwrap();
    assert_eq!(job.run.state, State::Succeeded);
    koinon.close().await;
}

/// The error of an engine that cannot be opened.
async fn refusal(settings: Settings) -> Error {
    Koinon::builder(settings).open().await.unwrap_err()
}

#[tokio::test]
async fn a_database_without_an_adapter_is_refused_with_what_works() {
    let folder = tempfile::tempdir().unwrap();
    for (url, reason) in [
        ("mysql://db/k", "there is no store for the scheme mysql"),
        ("koinon.db", "it is not a URL"),
        ("s3cret Stuff:x", "it is not a URL"),
    ] {
        let mut settings = settings(&folder);
        settings.database.url = url.to_owned();
        let error = refusal(settings).await;
        let message = format!(
            "database.url: {reason}; this build opens postgres://user@host:port/name, \
             sqlite://relative/path and sqlite:///absolute/path"
        );
        assert_eq!((error.code(), error.to_string()), (ErrorCode::USAGE, message));
    }
}

#[tokio::test]
async fn settings_out_of_range_are_refused_before_anything_is_made() {
    let folder = tempfile::tempdir().unwrap();
    let mut settings = settings(&folder);
    settings.operations.admission.worker_capacity = 0;
    let error = refusal(settings).await;
    assert_eq!(error.code(), ErrorCode::CONFIG_OUT_OF_RANGE);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

fn with_provider(folder: &TempDir, name: &str, provider: ProviderSettings) -> Settings {
    let mut settings = settings(folder);
    settings.providers.insert(name.to_owned(), provider);
    settings
}

fn base_url(url: &str) -> ProviderSettings {
    ProviderSettings { base_url: Some(url.to_owned()), ..ProviderSettings::default() }
}

#[tokio::test]
async fn a_provider_that_is_not_complete_is_left_out_and_says_why() {
    let folder = tempfile::tempdir().unwrap();
    let mut acme = base_url("http://127.0.0.1:9/v1");
    acme.api_key_env = Some("KOINON_TEST_NO_SUCH_VARIABLE".to_owned());
    let koinon = Koinon::builder(with_provider(&folder, "acme", acme)).open().await.unwrap();
    koinon.check_provider("offline").unwrap();
    let builder = Koinon::builder(koinon.settings().clone());
    for name in ["offline", "openai", "acme"] {
        builder.check_provider_name(name).unwrap();
    }
    let unknown = builder.check_provider_name("other").unwrap_err();
    assert_eq!(unknown.to_string(), koinon.check_provider("other").unwrap_err().to_string());
    for (name, message) in [
        (
            "openai",
            "provider openai is not available: it has no base URL; give --base-url, or set \
             providers.openai.base_url",
        ),
        (
            "acme",
            "provider acme is not available: the variable KOINON_TEST_NO_SUCH_VARIABLE, which \
             providers.acme.api_key_env names, is not set",
        ),
        (
            "other",
            "provider other is not available: it is not configured; the nearest names known here: acme, \
             openai, offline",
        ),
        (
            "opnai",
            "provider opnai is not available: it is not configured; the nearest names known here: openai, \
             acme, offline",
        ),
    ] {
        let error = koinon.check_provider(name).unwrap_err();
        assert_eq!((error.code(), error.to_string()), (ErrorCode::USAGE, message.to_owned()));
    }
    koinon.close().await;
}

#[tokio::test]
async fn complete_providers_are_there() {
    let folder = tempfile::tempdir().unwrap();
    // A variable that every test run of cargo has stands in for one with a key.
    let mut acme = base_url("http://127.0.0.1:9/v1");
    acme.api_key_env = Some("CARGO_PKG_NAME".to_owned());
    let mut settings = with_provider(&folder, "acme", acme);
    settings.providers.insert("openai".to_owned(), base_url("http://127.0.0.1:9/v1"));
    let koinon = Koinon::builder(settings).open().await.unwrap();
    koinon.check_provider("acme").unwrap();
    koinon.check_provider("openai").unwrap();
    koinon.close().await;
}

#[tokio::test]
async fn a_base_url_that_cannot_be_meant_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let error = refusal(with_provider(&folder, "acme", base_url("ftp://host/v1"))).await;
    assert_eq!(error.code(), ErrorCode::CONFIG_OUT_OF_RANGE);
    assert_eq!(error.to_string(), "setting up providers.acme");
    assert!(error.source().is_some());
}

#[derive(Debug)]
struct Deaf;

#[async_trait]
impl Provider for Deaf {
    fn name(&self) -> &str {
        "openai"
    }

    async fn send(&self, _call: Call<'_>) -> Outcome {
        let failure = CallFailure::new(Class::Permanent, "deaf", "it does not listen");
        Outcome::Released { failure, sent: Sent::Before }
    }
}

#[tokio::test]
async fn a_provider_of_the_program_takes_the_place_of_a_configured_one() {
    let folder = tempfile::tempdir().unwrap();
    let builder = Koinon::builder(settings(&folder)).provider(Arc::new(Deaf));
    let koinon = builder.open().await.unwrap();
    koinon.check_provider("openai").unwrap();
    koinon.close().await;
}

fn profile(id: &str, input: &str) -> Profile {
    let text = format!(
        "id = '{id}'\neffective_from = '2026-01-01T00:00:00Z'\n[[price]]\nprovider = 'offline'\n\
         model = 'extractive-1'\ninput_usd_per_million = '{input}'\noutput_usd_per_million = '0'"
    );
    Profile::from_toml(&text).unwrap()
}

#[tokio::test]
async fn prices_of_the_program_weigh_more_than_the_built_in_ones_and_the_last_most() {
    let folder = tempfile::tempdir().unwrap();
    let builder = Koinon::builder(settings(&folder));
    let koinon = builder.prices(profile("a", "1")).prices(profile("b", "2")).open().await.unwrap();
    let now = koinon.clock().now();
    let (id, _) = koinon.profiles().price("offline", "extractive-1", now).unwrap();
    assert_eq!(id.as_str(), "b");
    assert_eq!(koinon.profiles().all().len(), 3);
    koinon.close().await;
}

#[tokio::test]
async fn prices_that_were_changed_under_the_same_id_are_refused_at_the_submission() {
    let folder = tempfile::tempdir().unwrap();
    let koinon = Koinon::builder(settings(&folder)).prices(profile("a", "1")).open().await.unwrap();
    koinon.submit(submit("one")).await.unwrap();
    koinon.close().await;

    let koinon = Koinon::builder(settings(&folder)).prices(profile("a", "2")).open().await.unwrap();
    let error = koinon.submit(submit("two")).await.unwrap_err();
    assert_eq!(error.code(), ErrorCode::USAGE);
    koinon.close().await;
}
