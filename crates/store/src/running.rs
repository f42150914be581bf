//! How many jobs of a queue may run at once, in all processes together.

use std::collections::BTreeMap;

use koinon_domain::TenantId;

/// How many jobs of a queue may be held at once, whoever holds them (ADR 0026). A job is held from its claim
/// until its claim has ended; one whose lease has expired still counts until recovery has taken it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct RunningLimits {
    /// In all; `None` where there is no limit.
    pub running: Option<u32>,
    /// Of each tenant.
    pub per_tenant: Option<u32>,
}

impl RunningLimits {
    /// No limit at all.
    pub const NONE: Self = Self { running: None, per_tenant: None };

    /// Whether there is no limit.
    #[must_use]
    pub const fn is_none(self) -> bool {
        self.running.is_none() && self.per_tenant.is_none()
    }

    /// How many more jobs may be claimed, whoever their tenants are; `u32::MAX` where there is no limit.
    #[must_use]
    pub fn places(self, running: &Running) -> u32 {
        self.running.map_or(u32::MAX, |limit| limit.saturating_sub(running.total()))
    }

    /// How many more jobs of one tenant may be claimed, as far as only its own limit is concerned.
    #[must_use]
    pub fn places_of(self, running: &Running, tenant: &TenantId) -> u32 {
        self.per_tenant.map_or(u32::MAX, |limit| limit.saturating_sub(running.of(tenant)))
    }

    /// Whether one more job of a tenant may be claimed.
    #[must_use]
    pub fn admit(self, running: &Running, tenant: &TenantId) -> bool {
        self.places(running) > 0 && self.places_of(running, tenant) > 0
    }
}

/// How many jobs of a queue are held, by tenant.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Running {
    by_tenant: BTreeMap<TenantId, u32>,
    /// Those whose tenant cannot be read.
    nobodys: u32,
}

impl Running {
    /// Of all tenants together.
    #[must_use]
    pub fn total(&self) -> u32 {
        self.by_tenant.values().fold(self.nobodys, |total, jobs| total.saturating_add(*jobs))
    }

    /// Of one tenant.
    #[must_use]
    pub fn of(&self, tenant: &TenantId) -> u32 {
        self.by_tenant.get(tenant).copied().unwrap_or(0)
    }

    /// Each tenant that has any, and how many.
    pub fn by_tenant(&self) -> impl Iterator<Item = (&TenantId, u32)> {
        self.by_tenant.iter().map(|(tenant, jobs)| (tenant, *jobs))
    }

    /// Counts jobs of a tenant, `None` if it cannot be read.
    pub fn add(&mut self, tenant: Option<TenantId>, jobs: u32) {
        let count = match tenant {
            Some(tenant) => self.by_tenant.entry(tenant).or_default(),
            None => &mut self.nobodys,
        };
        *count = count.saturating_add(jobs);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tenant(name: &str) -> TenantId {
        TenantId::try_new(name).unwrap()
    }

    #[test]
    fn a_job_needs_a_place_of_its_queue_and_one_of_its_tenant() {
        let (acme, globex) = (tenant("acme"), tenant("globex"));
        let mut running = Running::default();
        running.add(Some(acme.clone()), 1);
        let limits = |running, per_tenant| RunningLimits { running, per_tenant };
        assert!(RunningLimits::NONE.admit(&running, &acme));
        assert!(!limits(Some(1), None).admit(&running, &globex));
        assert!(limits(Some(2), None).admit(&running, &acme));
        assert!(!limits(Some(3), Some(1)).admit(&running, &acme));
        assert!(limits(Some(3), Some(1)).admit(&running, &globex));
        assert_eq!(limits(Some(3), Some(1)).places(&running), 2);
        // A limit that was lowered below what runs leaves no place, and takes none away.
        running.add(Some(acme.clone()), 4);
        assert_eq!(limits(Some(3), Some(1)).places(&running), 0);
        assert_eq!(limits(Some(3), Some(1)).places_of(&running, &acme), 0);
        running.add(None, 1);
        assert_eq!((running.total(), running.of(&acme)), (6, 5));
    }
}
