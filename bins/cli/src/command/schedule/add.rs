//! `koinon schedule add`: a new schedule.

use std::path::PathBuf;
use std::time::Duration;

use koinon::domain::{ErrorCode, Kind, Priority, QueueName, ScheduleName};
use koinon::schedule::{Cadence, Cron, Every, Missed};
use koinon::store::Added;
use koinon::{AddSchedule, Kinds};

use super::view::ScheduleView;
use crate::args;
use crate::command::Context;
use crate::exit::Exit;
use crate::fault::Fault;
use crate::kinds;
use crate::open::Open;
use crate::order::TemplateArgs;

/// Options of `schedule add`.
#[derive(Debug, clap::Args)]
#[command(group(clap::ArgGroup::new("cadence").required(true).args(["cron", "every"])))]
pub(crate) struct AddArgs {
    /// What the schedule is called
    #[arg(value_name = "NAME", value_parser = args::schedule)]
    name: ScheduleName,
    /// Tick by a cron expression: minute, hour, day of month, month, day of week; six fields have the
    /// second in front
    #[arg(long, value_name = "EXPRESSION")]
    cron: Option<String>,
    /// The time zone of the cron expression, such as Europe/Berlin
    #[arg(long, value_name = "ZONE", default_value = "UTC", conflicts_with = "every")]
    tz: String,
    /// Tick at a fixed interval from now on, such as 15m
    #[arg(long, value_name = "TIME", value_parser = args::duration)]
    every: Option<Duration>,
    /// What becomes of ticks while no worker was there: skip, once (one job for all) or all
    #[arg(long, value_name = "POLICY", default_value_t = Missed::Once)]
    missed: Missed,
    /// What kind of job: dataset
    #[arg(long, value_name = "KIND")]
    kind: String,
    /// The queue that the jobs wait in; by default the one of the kind's name
    #[arg(long, value_name = "NAME")]
    queue: Option<String>,
    /// How urgent the jobs are, 0 to 9
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u8).range(0..=9))]
    priority: u8,
    /// Add it though this program does not know the kind; --payload says what the jobs are asked to do
    #[arg(long, requires = "payload")]
    unknown_kind: bool,
    /// A JSON file that is the input of each job, in place of INPUT
    #[arg(long, value_name = "FILE", requires = "unknown_kind", conflicts_with = "inputs")]
    payload: Option<PathBuf>,
    #[command(flatten)]
    template: TemplateArgs,
}

pub(crate) async fn add(context: &Context, args: AddArgs) -> Result<Exit, Fault> {
    let cadence = cadence(&args)?;
    let invalid = |error: koinon::domain::InvalidName| Fault::usage(error.to_string());
    let kind = Kind::try_new(&args.kind).map_err(invalid)?;
    let queue = args.queue.as_ref().map(QueueName::try_new).transpose().map_err(invalid)?;
    let payload = match &args.payload {
        Some(file) => Some(read(file)?),
        None => {
            kinds::known(&args.kind).map_err(|fault| {
                fault.help(
                    "--unknown-kind with --payload FILE adds it for workers that know the kind",
                )
            })?;
            args.template.check()?;
            None
        }
    };
    let project = args.template.project()?;
    let builder = Open::new(context).prices(args.template.prices.as_deref()).builder()?;
    if payload.is_none() {
        args.template.check_provider(&builder)?;
    }
    let koinon = builder.open().await?;
    let kinds = if args.unknown_kind { Kinds::Any } else { Kinds::Known };
    let payload = match payload {
        Some(payload) => payload,
        // The inputs as they are now: later changes to the files are not seen.
        None => args.template.prepare(&koinon, context.console, Vec::new()).await?.payload,
    };
    let new = AddSchedule {
        name: args.name,
        cadence,
        missed: args.missed,
        kind,
        kinds,
        queue,
        project,
        payload,
        limits: args.template.limits.limits(),
        priority: Priority::try_new(args.priority).unwrap_or_default(),
    };
    let added = koinon.add_schedule(new).await;
    koinon.close().await;
    match added? {
        Added::Added(schedule) => {
            context.console.show(&ScheduleView::of(&schedule), |view| view.lines().to_string())?;
            Ok(Exit::Succeeded)
        }
        Added::Exists(found) => {
            let summary = format!("there is a schedule {} already; it stays as it is", found.name);
            Err(Fault::new(ErrorCode::SCHEDULE_EXISTS, summary)
                .help("choose another name, or remove it first: `koinon schedule remove`"))
        }
    }
}

fn cadence(args: &AddArgs) -> Result<Cadence, Fault> {
    let made = match (&args.cron, args.every) {
        (Some(expression), _) => Cron::try_new(expression, &args.tz).map(Cadence::Cron),
        (None, Some(every)) => Every::try_new(every).map(Cadence::Every),
        (None, None) => return Err(Fault::usage("give --cron or --every")),
    };
    made.map_err(|error| Fault::new(error.code(), error.to_string()).exit(Exit::Usage))
}

/// A JSON document.
fn read(file: &PathBuf) -> Result<Vec<u8>, Fault> {
    let wrong = |code: ErrorCode, why: String| {
        Fault::new(code, format!("--payload {}: {why}", file.display())).exit(Exit::Usage)
    };
    let bytes =
        std::fs::read(file).map_err(|error| wrong(ErrorCode::SOURCE_MISSING, error.to_string()))?;
    serde_json::from_slice::<serde::de::IgnoredAny>(&bytes)
        .map_err(|error| wrong(ErrorCode::INVALID_INPUT, format!("it is no JSON: {error}")))?;
    Ok(bytes)
}
