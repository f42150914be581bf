//! The work that `run` and `submit` are asked for, and how it becomes a job.

use std::path::PathBuf;

use koinon::budget::{Limits, NanoUsd};
use koinon::domain::{ErrorCode, Kind, Priority, ProjectId};
use koinon::store::{IfExists, Submitted};
use koinon::workloads::dataset::{Order, PrepareError, Prepared, prepare};
use koinon::{Builder, Koinon, Sources, Submit, told};

use crate::args;
use crate::console::Console;
use crate::exit::Exit;
use crate::fault::Fault;
use crate::job_ref::JobRef;
use crate::kinds;

const OFFLINE: &str = "offline";
const OFFLINE_MODEL: &str = "extractive-1";

/// What to do, with what, and for how much.
#[derive(Debug, clap::Args)]
pub(crate) struct WorkArgs {
    /// What kind of job: dataset
    #[arg(value_name = "KIND")]
    pub(crate) kind: String,
    #[command(flatten)]
    pub(crate) template: TemplateArgs,
    /// What makes it the same job, in place of the list of inputs
    #[arg(long, value_name = "KEY")]
    pub(crate) key: Option<String>,
    /// Where the provider is, version path included: http://127.0.0.1:9000/v1
    #[arg(long, value_name = "URL")]
    pub(crate) base_url: Option<String>,
    /// Submit a new job when the one of the same input was cancelled
    #[arg(long)]
    pub(crate) again: bool,
}

/// What every job of the same order has in common.
#[derive(Debug, clap::Args)]
pub(crate) struct TemplateArgs {
    /// Files, folders or patterns; - is standard input
    #[arg(value_name = "INPUT")]
    pub(crate) inputs: Vec<String>,
    /// The project that the job belongs to
    #[arg(long, value_name = "NAME", default_value = "default")]
    pub(crate) project: String,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    /// Who answers: offline, openai, or a provider of the configuration
    #[arg(long, value_name = "NAME", default_value = OFFLINE)]
    pub(crate) provider: String,
    /// Which of the provider's models; extractive-1 for offline
    #[arg(long, value_name = "NAME")]
    pub(crate) model: Option<String>,
    /// A price profile that overrides the built-in one
    #[arg(long, value_name = "FILE")]
    pub(crate) prices: Option<PathBuf>,
    /// A setting of the workload; may be repeated
    #[arg(long, value_name = "NAME=VALUE", value_parser = args::pair)]
    pub(crate) set: Vec<(String, String)>,
}

/// What a job may spend.
#[derive(Debug, Clone, Copy, clap::Args)]
pub(crate) struct LimitArgs {
    /// The most that it may cost
    #[arg(long, value_name = "USD", value_parser = args::money, allow_hyphen_values = true)]
    budget_usd: Option<NanoUsd>,
    /// The most requests that it may send
    #[arg(long, value_name = "N")]
    max_calls: Option<u32>,
    /// The most items that it may start
    #[arg(long, value_name = "N")]
    max_items: Option<u32>,
}

impl LimitArgs {
    /// The limits; those that are not given are none.
    pub(crate) fn limits(self) -> Limits {
        let Self { budget_usd, max_calls, max_items } = self;
        Limits { cost: budget_usd, calls: max_calls, items: max_items, ..Limits::default() }
    }
}

impl WorkArgs {
    /// Refuses what is wrong whatever the database and the files say.
    pub(crate) fn check(&self) -> Result<(), Fault> {
        kinds::known(&self.kind)?;
        if self.template.provider == OFFLINE && self.base_url.is_some() {
            return Err(Fault::usage(
                "--base-url is given, and the offline provider has no address",
            )
            .help("name the provider too, such as --provider openai"));
        }
        if self.key.as_ref().is_some_and(|key| key.trim().is_empty()) {
            return Err(Fault::usage("--key is empty")
                .help("leave it out, or name what makes it the same job"));
        }
        self.template.check()
    }

    /// Reads and stores the inputs, and submits the job unless it exists. `exclude` is no input, even
    /// where it lies among them.
    pub(crate) async fn submit(
        &self,
        koinon: &Koinon,
        console: Console,
        exclude: Vec<PathBuf>,
    ) -> Result<Submitted, Fault> {
        let prepared = self.template.prepare(koinon, console, exclude).await?;
        let project = self.template.project()?;
        let sources = match &self.key {
            Some(key) => Sources::Key(key),
            None => Sources::List(&prepared.sources),
        };
        let kind = name(Kind::try_new(&self.kind))?;
        let identity = koinon::identity(&kind, &project, &prepared.configuration, sources);
        let submit = Submit {
            kind,
            queue: None,
            project,
            identity,
            payload: prepared.payload,
            limits: self.template.limits.limits(),
            priority: Priority::default(),
            if_exists: if self.again { IfExists::ReplaceCancelled } else { IfExists::Return },
        };
        let payload = submit.payload.clone();
        let submitted = koinon.submit(submit).await?;
        if let Submitted::Existing(job) = submitted {
            let found = JobRef::Id(job).find(koinon).await?;
            if sources_of(&found.spec.payload) != sources_of(&payload) {
                console.note(
                    "the job of this key was submitted with other inputs, and keeps those",
                    "give another --key, or none, to submit a job of these inputs",
                );
            }
        }
        Ok(submitted)
    }
}

impl TemplateArgs {
    /// Refuses what is wrong whatever the database and the files say.
    pub(crate) fn check(&self) -> Result<(), Fault> {
        self.project()?;
        if self.inputs.is_empty() {
            return Err(Fault::usage("there is no input")
                .help("name files or folders, or give - to read standard input"));
        }
        Ok(())
    }

    /// Refuses a provider that the configuration does not know, and a model that nobody named.
    pub(crate) fn check_provider(&self, builder: &Builder) -> Result<(), Fault> {
        if self.provider.trim().is_empty() {
            return Err(Fault::usage("--provider is empty")
                .help("leave it out for the offline provider, or name another"));
        }
        builder.check_provider_name(&self.provider)?;
        self.model()?;
        Ok(())
    }

    /// Reads and stores the inputs, and makes the payload of the job.
    pub(crate) async fn prepare(
        &self,
        koinon: &Koinon,
        console: Console,
        exclude: Vec<PathBuf>,
    ) -> Result<Prepared, Fault> {
        self.check_price(koinon, console)?;
        let order = Order {
            inputs: self.inputs.clone(),
            exclude,
            set: self.set.clone(),
            provider: self.provider.clone(),
            model: self.model()?.to_owned(),
        };
        prepare(order, koinon.artifacts()).await.map_err(|error| refused(&error))
    }

    /// Without a price a limit of the cost cannot be kept. Where there is none, nothing can be counted, and a
    /// person should not take that for free of charge.
    fn check_price(&self, koinon: &Koinon, console: Console) -> Result<(), Fault> {
        let (model, now) = (self.model()?, koinon.clock().now());
        if koinon.profiles().price(&self.provider, model, now).is_some() {
            return Ok(());
        }
        let summary = format!("{}/{model} has no price that is in effect", self.provider);
        if self.limits.budget_usd.is_some() {
            let summary = format!("{summary}, and --budget-usd cannot be kept without one");
            return Err(Fault::new(ErrorCode::PRICE_UNKNOWN, summary).exit(Exit::Usage).help(
                "give --prices FILE, or limit the job by --max-calls instead; nothing was submitted",
            ));
        }
        console.note(
            &format!("{summary}: what its calls cost is not counted"),
            "give --prices FILE to count the cost, and to limit it",
        );
        Ok(())
    }

    /// The project.
    pub(crate) fn project(&self) -> Result<ProjectId, Fault> {
        name(ProjectId::try_new(&self.project))
    }

    fn model(&self) -> Result<&str, Fault> {
        match &self.model {
            Some(model) if model.trim().is_empty() => Err(Fault::usage("--model is empty")
                .help("name the model, such as --model gpt-4o-mini")),
            Some(model) if self.provider == OFFLINE && model != OFFLINE_MODEL => {
                let summary = format!("the offline provider has no model {model:?}");
                Err(Fault::usage(summary)
                    .help(format!("leave --model out: its one model is {OFFLINE_MODEL}")))
            }
            Some(model) => Ok(model),
            None if self.provider == OFFLINE => Ok(OFFLINE_MODEL),
            None => {
                let summary =
                    format!("--model is missing: provider {} has no default", self.provider);
                Err(Fault::usage(summary).help("name the model, such as --model gpt-4o-mini"))
            }
        }
    }
}
/// The sources that a payload names.
fn sources_of(payload: &[u8]) -> Option<serde_json::Value> {
    let mut payload: serde_json::Value = serde_json::from_slice(payload).ok()?;
    payload.get_mut("sources").map(serde_json::Value::take)
}

fn name<T>(name: Result<T, koinon::domain::InvalidName>) -> Result<T, Fault> {
    name.map_err(|error| Fault::usage(error.to_string()))
}

fn refused(error: &PrepareError) -> Fault {
    let exit = if error.is_usage() { Exit::Usage } else { Exit::Failed };
    let code = error.code();
    let full = code == ErrorCode::DISK_FULL;
    let fault = Fault::new(code, told(error)).exit(exit);
    if full { fault.help("make some space, then run the same command again") } else { fault }
}
