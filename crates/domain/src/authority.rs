//! On whose behalf a job runs.

use std::collections::BTreeMap;

use crate::{ProjectId, TenantId};

/// What the program that accepted a job could prove about its submitter. Never a bearer token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Authority {
    /// The canonical name of who asked.
    pub principal: String,
    /// The credential that proved it; `None` for the owner of a local database file.
    pub credential: Option<String>,
    /// The tenant that the work belongs to.
    pub tenant: TenantId,
    /// The project inside the tenant.
    pub project: ProjectId,
    /// What the credential allowed.
    pub scope: Vec<String>,
    /// The exact model revision chosen for each use of a model.
    pub model_revisions: BTreeMap<String, String>,
}

impl Authority {
    /// Whether a job of a tenant may run under it. A job never runs under a broader identity than the one that
    /// asked for it.
    #[must_use]
    pub fn covers(&self, tenant: &TenantId) -> bool {
        self.tenant == *tenant
    }
}
