//! `kit-worker submit`: submits the jobs of a file, one JSON object a line.

use std::path::Path;
use std::process::ExitCode;

use anyhow::Context as _;
use koinon::Koinon;
use koinon::domain::{Authority, JobId, TenantId};
use koinon::prelude::{Kind, Limits, NanoUsd, ProjectId, QueueName, Sources, Submit};
use koinon::store::{NewJob, Submission, Submitted};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::tell;
use crate::args::Args;
use crate::engine;

/// A job as a test asks for it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Asked {
    /// The workload.
    kind: String,
    /// What makes two submissions the same job, together with the kind.
    key: String,
    /// The workload's input.
    input: Value,
    /// The queue; the one of the kind's name unless it is there.
    queue: Option<String>,
    /// Whose it is; the local tenant's unless it is there.
    tenant: Option<String>,
    /// What it may cost.
    cost_nano_usd: Option<i64>,
    /// How many requests it may make.
    calls: Option<u32>,
}

/// A job that is there.
#[derive(Debug, Serialize)]
struct There<'a> {
    key: &'a str,
    job: String,
}

/// Submits them in their order. What was submitted before is found, so a file may be submitted again.
pub(crate) async fn submit(args: &Args, file: &Path) -> anyhow::Result<ExitCode> {
    let text =
        std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    let koinon = engine::open(args).await?;
    for line in text.lines() {
        let asked: Asked = serde_json::from_str(line)
            .with_context(|| format!("a line of {} is no job: {line}", file.display()))?;
        let submitted = match &asked.tenant {
            None => koinon.submit(wanted(&asked)?).await?,
            Some(tenant) => submit_for(&koinon, tenant, wanted(&asked)?).await?,
        };
        tell(&There { key: &asked.key, job: submitted.job().to_string() })?;
    }
    koinon.close().await;
    Ok(ExitCode::SUCCESS)
}

/// Submits a job as a server does, that takes jobs in for many tenants.
async fn submit_for(koinon: &Koinon, tenant: &str, new: Submit) -> anyhow::Result<Submitted> {
    let tenant = TenantId::try_new(tenant)?;
    let authority =
        Authority { tenant: tenant.clone(), ..koinon.local_authority(new.project.clone()) };
    let queue = match new.queue {
        Some(queue) => queue,
        None => QueueName::try_new(new.kind.as_str())?,
    };
    let job = NewJob {
        id: JobId::from_uuid(koinon.clock().uuid()),
        tenant,
        project: new.project,
        kind: new.kind,
        queue,
        identity: new.identity,
        priority: new.priority,
        payload: new.payload,
        authority: Some(authority),
        limits: new.limits,
        max_attempts: koinon.settings().operations.max_attempts,
    };
    let submission = Submission { job, if_exists: new.if_exists };
    let answer = koinon.jobs().submit(vec![submission]).await?.pop();
    answer.context("no answer to a submission")
}

fn wanted(asked: &Asked) -> anyhow::Result<Submit> {
    let kind = Kind::try_new(asked.kind.as_str())?;
    let project = ProjectId::try_new("tests")?;
    let identity = koinon::identity(&kind, &project, &[], Sources::Key(&asked.key));
    let mut submit = Submit::new(kind, project, identity, asked.input.to_string());
    submit.queue = asked.queue.as_deref().map(QueueName::try_new).transpose()?;
    submit.limits = Limits {
        cost: asked.cost_nano_usd.map(NanoUsd::new),
        calls: asked.calls,
        ..Limits::default()
    };
    Ok(submit)
}
