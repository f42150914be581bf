//! A job to be submitted.

use koinon_budget::Limits;
use koinon_domain::{Authority, Digest, JobId, Kind, Priority, ProjectId, QueueName, TenantId};
use koinon_store::{Clock, IfExists, NewJob, Submission};

/// A job with valid defaults: tenant `acme`, project `docs`, queue and kind `report`, three attempts,
/// no limits, an identity of its own.
#[must_use]
pub fn job() -> JobBuilder {
    JobBuilder {
        id: None,
        tenant: "acme".to_owned(),
        project: "docs".to_owned(),
        kind: "report".to_owned(),
        queue: "report".to_owned(),
        identity: None,
        priority: 5,
        payload: b"{}".to_vec(),
        limits: Limits::default(),
        max_attempts: 3,
        if_exists: IfExists::Return,
        authority_of: None,
    }
}

/// A submission in the making.
#[derive(Debug, Clone)]
pub struct JobBuilder {
    id: Option<JobId>,
    tenant: String,
    project: String,
    kind: String,
    queue: String,
    identity: Option<Digest>,
    priority: u8,
    payload: Vec<u8>,
    limits: Limits,
    max_attempts: u32,
    if_exists: IfExists,
    authority_of: Option<String>,
}

impl JobBuilder {
    /// With this id.
    #[must_use]
    pub const fn id(mut self, id: JobId) -> Self {
        self.id = Some(id);
        self
    }

    /// Of this tenant.
    #[must_use]
    pub fn tenant(mut self, tenant: &str) -> Self {
        tenant.clone_into(&mut self.tenant);
        self
    }

    /// In this project.
    #[must_use]
    pub fn project(mut self, project: &str) -> Self {
        project.clone_into(&mut self.project);
        self
    }

    /// Of this kind.
    #[must_use]
    pub fn kind(mut self, kind: &str) -> Self {
        kind.clone_into(&mut self.kind);
        self
    }

    /// In this queue.
    #[must_use]
    pub fn queue(mut self, queue: &str) -> Self {
        queue.clone_into(&mut self.queue);
        self
    }

    /// With the identity that this text stands for.
    #[must_use]
    pub fn identity(mut self, text: &str) -> Self {
        self.identity = Some(Digest::of(text.as_bytes()));
        self
    }

    /// That urgent, 0 to 9.
    #[must_use]
    pub const fn priority(mut self, priority: u8) -> Self {
        self.priority = priority;
        self
    }

    /// With this input.
    #[must_use]
    pub fn payload(mut self, payload: impl Into<Vec<u8>>) -> Self {
        self.payload = payload.into();
        self
    }

    /// With a cost limit in dollars.
    #[must_use]
    pub fn budget(mut self, usd: &str) -> Self {
        self.limits.cost = Some(usd.parse().unwrap());
        self
    }

    /// With a limit on calls.
    #[must_use]
    pub const fn calls(mut self, calls: u32) -> Self {
        self.limits.calls = Some(calls);
        self
    }

    /// With these limits.
    #[must_use]
    pub const fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// With so many attempts.
    #[must_use]
    pub const fn max_attempts(mut self, max_attempts: u32) -> Self {
        self.max_attempts = max_attempts;
        self
    }

    /// Under an authority of another tenant.
    #[must_use]
    pub fn on_behalf_of(mut self, tenant: &str) -> Self {
        self.authority_of = Some(tenant.to_owned());
        self
    }

    /// In place of a cancelled one of the same identity.
    #[must_use]
    pub const fn replacing_cancelled(mut self) -> Self {
        self.if_exists = IfExists::ReplaceCancelled;
        self
    }

    /// The submission; the clock gives the id where none was named.
    #[must_use]
    pub fn build(self, clock: &dyn Clock) -> Submission {
        let id = self.id.unwrap_or_else(|| JobId::from_uuid(clock.uuid()));
        let tenant = TenantId::try_new(self.tenant).unwrap();
        let project = ProjectId::try_new(self.project).unwrap();
        let authority = Authority {
            principal: "ada".to_owned(),
            credential: Some("key_1".to_owned()),
            tenant: match self.authority_of {
                Some(other) => TenantId::try_new(other).unwrap(),
                None => tenant.clone(),
            },
            project: project.clone(),
            scope: vec!["jobs:write".to_owned(), "jobs:read".to_owned()],
            model_revisions: [("generate".to_owned(), "fake-1@2026-10".to_owned())].into(),
        };
        let job = NewJob {
            id,
            tenant,
            project,
            kind: Kind::try_new(self.kind).unwrap(),
            queue: QueueName::try_new(self.queue).unwrap(),
            identity: self.identity.unwrap_or_else(|| Digest::of(id.as_uuid().as_bytes())),
            priority: Priority::try_new(self.priority).unwrap(),
            payload: self.payload,
            authority: Some(authority),
            limits: self.limits,
            max_attempts: self.max_attempts,
        };
        Submission { job, if_exists: self.if_exists }
    }
}
